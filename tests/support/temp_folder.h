// A folder of its own for one test, removed with everything in it at the end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tengen::tests {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of a file in the folder, existing or not.
  std::string file(std::string_view name) const { return (path_ / name).string(); }
  /// Writes a file and gives its path.
  std::string write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

/// The whole file; empty when there is none.
std::string read_text(const std::filesystem::path& path);

}  // namespace tengen::tests
