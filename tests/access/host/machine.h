// What a program of kernels gives to the machine.
#pragma once
#include <tuple>
#include <utility>

#include "cuda.h"

struct Entry { const char *name; void (*run)(Arguments &); };
extern const Entry entries[];

template <class... P> void call(void (*kernel)(P...), Arguments &from) {
  std::tuple<P...> values{argument<P>(from)...};  // braces: from left to right
  std::apply(kernel, values);
}
