// A record that nobody changes any more. Copies share it, so a job with a whole game in it is
// passed on for the price of a pointer.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "rules/record.h"

namespace tengen::pool {

class SharedRecord {
 public:
  SharedRecord(rules::Record record)  // NOLINT(google-explicit-constructor): a record is one
      : record_(std::make_shared<const rules::Record>(std::move(record))) {}
  /// Must not be null, and nobody may change what it points to while this lives.
  explicit SharedRecord(std::shared_ptr<const rules::Record> record) : record_(std::move(record)) {}

  const rules::Record& operator*() const { return *record_; }
  rules::Size size() const { return record_->size(); }
  const rules::Board& board() const { return record_->board(); }
  const std::vector<rules::Stone>& setup() const { return record_->setup(); }
  const std::vector<rules::Move>& moves() const { return record_->moves(); }

 private:
  std::shared_ptr<const rules::Record> record_;
};

}  // namespace tengen::pool
