// A new empty folder that goes away with its owner.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tengen::tests {

class TempFolder {
 public:
  TempFolder() : path_((std::filesystem::temp_directory_path() / "tengen-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tengen::tests
