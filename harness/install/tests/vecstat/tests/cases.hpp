#pragma once
#include <functional>
#include <map>
#include <string>
std::map<std::string, std::function<bool()>>& cases();
struct add {
  add(const char* name, std::function<bool()> body) { cases()[name] = std::move(body); }
};
