// The least that anybody can do who speaks to many engines over pipes: as many round trips as asked
// for, with nothing known of them but their bytes. Two Asio loops, because which is faster is a
// matter of the kernel: one reads each pipe by an operation of its own, the other waits by Asio for
// one epoll set and reads what is ready there.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tengen::tests {

class BareTrips {
 public:
  virtual ~BareTrips() = default;
  /// Makes so many round trips: each engine is written the first of these, and the next as soon as
  /// the end of an answer has come. Answers to one write must come as one write. Throws when it
  /// takes minutes.
  virtual void run(long trips, const std::vector<std::string>& writes) = 0;

  /// With so many processes of that program.
  static std::unique_ptr<BareTrips> by_operations(int engines, const std::string& program);
  static std::unique_ptr<BareTrips> by_epoll_set(int engines, const std::string& program);
};

}  // namespace tengen::tests
