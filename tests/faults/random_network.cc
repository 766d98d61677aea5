// The format: a line "1", then a line for each array of numbers, in the order in which a position
// goes through the layers. A convolution is four lines: weights, biases, and the means and
// variances of its batch normalization. First a convolution of the 18 planes of the input, then two
// for each residual block, then the policy head and the value head, 14 lines together.
#include "tests/faults/random_network.h"

#include <cmath>
#include <cstdio>
#include <random>

namespace tengen::tests {
namespace {

constexpr int kFilters = 8;
constexpr int kBlocks = 2;
constexpr int kInputPlanes = 18;
constexpr int kPoints = 19 * 19;
constexpr int kPolicyPlanes = 2;
constexpr int kValuePlanes = 1;
constexpr int kValueNeurons = 256;

class NetworkWriter {
 public:
  explicit NetworkWriter(std::uint64_t seed) : random_(seed) {}

  /// Weights that keep the size of what goes through them (He et al. 2015).
  void convolution(int inputs, int outputs, int window) {
    const int taps = window * window;
    weights(inputs * outputs * taps, std::sqrt(2.0 / (inputs * taps)));
    same(outputs, 0);
    same(outputs, 0);
    same(outputs, 1);
  }
  void dense(int inputs, int outputs) {
    weights(inputs * outputs, std::sqrt(1.0 / inputs));
    same(outputs, 0);
  }
  std::string take() { return std::move(text_); }

 private:
  void weights(int count, double deviation) {
    std::normal_distribution<double> normal(0, deviation);
    for (int i = 0; i < count; ++i) add(normal(random_));
    end_line();
  }
  void same(int count, double value) {
    for (int i = 0; i < count; ++i) add(value);
    end_line();
  }
  void add(double value) {
    char number[32];
    text_.append(number,
                 static_cast<std::size_t>(std::snprintf(number, sizeof number, "%.3g ", value)));
  }
  void end_line() { text_.back() = '\n'; }

  std::mt19937_64 random_;
  std::string text_ = "1\n";
};

}  // namespace

std::string random_network(std::uint64_t seed) {
  NetworkWriter network(seed);
  network.convolution(kInputPlanes, kFilters, 3);
  for (int i = 0; i < 2 * kBlocks; ++i) network.convolution(kFilters, kFilters, 3);
  network.convolution(kFilters, kPolicyPlanes, 1);
  network.dense(kPolicyPlanes * kPoints, kPoints + 1);
  network.convolution(kFilters, kValuePlanes, 1);
  network.dense(kValuePlanes * kPoints, kValueNeurons);
  network.dense(kValueNeurons, 1);
  return network.take();
}

}  // namespace tengen::tests
