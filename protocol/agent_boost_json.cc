// Boost.JSON is used as headers only: this file compiles its definitions, once for the whole tree.
#include <boost/json/src.hpp>
