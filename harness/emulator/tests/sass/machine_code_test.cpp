#include "sass/machine_code.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <random>
#include <regex>

#include "machine.h"
#include "sass/elf_image.h"
#include "sass/instruction_text.h"
#include "sass/json_reader.h"

namespace simtlab::emulator::testing {
namespace {

struct both_files {
  std::string cubin = content_of(SIMTLAB_CUBINS "/kernels.cubin"), listing = content_of(SIMTLAB_CUBINS "/kernels.json");
};

/// Why it, or a kernel of it, could not be read; empty: all could.
std::string problem(const both_files& files) {
  try {
    const auto code = sass::machine_code::load(std::as_bytes(std::span(files.cubin)), files.listing);
    for (const sass::function& f : code->functions())
      if (!f.problem.empty()) return f.problem;
  } catch (const sass::unreadable_code& e) {
    return e.what();
  }
  return "";
}

/// As `strip` leaves it.
void without_symbols(std::string& cubin) {
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    char* const at = cubin.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, at, sizeof section);
    if (section.sh_type == SHT_SYMTAB) section.sh_type = SHT_NULL;
    std::memcpy(at, &section, sizeof section);
  }
}

}  // namespace

TEST_CASE("a kernel's parameters, memory and registers are ptxas'") {
  const auto& code = test_kernels();
  CHECK(code->architecture() == 90);
  const sass::function* const f = code->find("vector_add");
  REQUIRE(f != nullptr);
  REQUIRE(f->parameters.size() == 4);
  CHECK(f->parameters[3].offset == 24);
  CHECK(f->parameters[3].bytes == 4);
  CHECK(f->parameter_base == 0x210);
  CHECK(f->registers > 8);
  CHECK(f->static_shared == 0x400);
  CHECK(code->find("tiled_product")->static_shared == 0x400 + 2048);
  CHECK(code->find("tiled_product")->barriers == 1);
  CHECK(code->find("local_array")->local_bytes >= 64);
  CHECK_FALSE(code->find("local_array")->has_open_stack);
  CHECK(code->find("recursion")->has_open_stack);
  CHECK(code->find("recursion")->local_bytes == 256 << 10);
  CHECK(code->find("nothing") == nullptr);
}

TEST_CASE("variables: name, space, initial value") {
  const auto& symbols = test_kernels()->symbols();
  const auto named = [&](std::string_view name) {
    return std::ranges::find_if(symbols, [&](const sass::global_symbol& s) { return s.name == name; });
  };
  REQUIRE(named("table") != symbols.end());
  CHECK(named("table")->bytes == 16);
  float first = 0;
  std::memcpy(&first, named("table")->initial_value.data(), sizeof first);
  CHECK(first == 0.5F);
  REQUIRE(named("weights") != symbols.end());
  CHECK(named("weights")->space == memory_space::constant);
}

TEST_CASE("instructions know their lines") {
  const auto& code = test_kernels();
  const sass::function& f = *code->find("vector_add");
  bool found = false;
  for (std::uint32_t i = f.first_place; i < f.first_place + f.instructions; ++i)
    found |= code->texts()[i].starts_with("FADD") && code->places()[i].line == 8 &&
             code->places()[i].file == "/tmp/cubins/kernels.cu";
  CHECK(found);
}

TEST_CASE("code without a line table is read, and its instructions stand at no line") {
  const both_files files;
  const std::string listing = std::regex_replace(files.listing, std::regex(R"re(,"source-line":\d+)re"), "");
  REQUIRE(listing.size() < files.listing.size());
  const auto code = sass::machine_code::load(std::as_bytes(std::span(files.cubin)), listing);
  CHECK(code->find("vector_add")->problem.empty());
  CHECK(std::ranges::all_of(code->places(), [](const sass::source_place& p) { return p.line == 0; }));
}

TEST_CASE("what cannot be read is refused with the next step") {
  both_files files;
  CHECK(problem({"", files.listing}).find("compile it anew with nvcc") != std::string::npos);
  CHECK(problem({files.cubin, ""}).find("nvdisasm -json") != std::string::npos);
  both_files other = files;
  other.cubin[18] = 62;  // x86-64
  CHECK(problem(other).find("expected a cubin") != std::string::npos);
  other = files;
  const std::string ninety = R"("major":9)";
  other.listing.replace(other.listing.find(ninety), ninety.size(), R"("major":12)");
  CHECK(problem(other).find("sm_120") != std::string::npos);
  other = files;
  without_symbols(other.cubin);
  CHECK(problem(other).find("found none; compile it anew with nvcc -cubin, and do not strip it") != std::string::npos);
  other = files;
  const std::string opcode = R"("opcode":"FADD")";
  other.listing.replace(other.listing.find(opcode), opcode.size(), R"("opcode":"HMMA")");
  CHECK(problem(other).find("an opcode that is not known: HMMA") != std::string::npos);
  CHECK(problem(other).find("HMMA at kernels.cu:") != std::string::npos);
  CHECK(problem(other).find("has 1 instruction ") != std::string::npos);
  const std::string all = R"("opcode":")";
  for (std::size_t at = 0; (at = other.listing.find(all, at)) != std::string::npos; ++at)
    other.listing[at + all.size()] = 'Q';
  const std::string many = problem(other);
  CHECK(std::ranges::count(many, '(') == 5);  // five are named, each with its line
  CHECK_MESSAGE(many.ends_with(" more"), many);
}

TEST_CASE("files with bytes that are wrong are read or refused, and nothing else") {
  const both_files files;
  std::mt19937 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int round = 0; round < 60; ++round) {
    both_files damaged = files;
    std::string& text = round % 2 == 0 ? damaged.cubin : damaged.listing;
    for (std::size_t k = 1 + below(8); k > 0; --k) {
      const std::size_t within = round % 4 == 0 ? std::min<std::size_t>(text.size(), 4096) : text.size();
      text[below(within)] = static_cast<char>(random());
    }
    if (round % 10 == 9) text.resize(below(text.size()));
    static_cast<void>(problem(damaged));
  }
}

TEST_CASE("lines with characters that are wrong are read or refused") {
  const std::string characters = "R0123,-|~![]+.cUPZT xdes@B:HF_\"{}";
  const std::string lines[][2] = {{"IMAD.WIDE.U32", "R2,R8,0x4,R2"},
                                  {"LDG.E.128", "R4,desc[UR6][R2.64+0x10]"},
                                  {"FFMA", "R0,-R1,|R2|,c[0x0][R4+0x8]"},
                                  {"HFMA2.MMA", "R0,-RZ,RZ,1.875,0"},
                                  {"BRA", "!P1,0x340"},
                                  {"TEX.LL", "RZ,R3,R2,R0,UR4,0x0,2D,0x1"},
                                  {"SHFL.IDX", "PT,R0,R2,0x1,0x1f"},
                                  {"ATOMS.ADD", "RZ,[R2.X4+UR4],R5"}};
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    const auto& [opcode, operands] = lines[random() % std::size(lines)];
    sass::instruction_line line{round % 3 == 0 ? "@!P0" : "", opcode, operands, 0};
    for (auto k = 1 + random() % 3; k > 0; --k) {
      std::string& part = random() % 5 == 0 ? line.predicate : random() % 5 == 0 ? line.opcode : line.operands;
      if (part.empty()) continue;
      part[random() % part.size()] = characters[random() % characters.size()];
      if (random() % 4 == 0) part.erase(random() % part.size(), 1);
    }
    try {
      const sass::instruction i = sass::read_instruction(line, 1, 1, [](std::string_view) { return std::nullopt; });
      CHECK((i.run != nullptr));
    } catch (const sass::unreadable_code&) {
    }
  }
}

TEST_CASE("JSON is read strictly") {
  const auto read = [](std::string_view text) {
    sass::json_reader r(text);
    r.skip();
    r.end();
  };
  CHECK_NOTHROW(read(R"({"a":[1,-2.5e3,"\u0041\n",true,null],"b":{}})"));
  for (const char* wrong : {"", "{", "[1,]", "{\"a\" 1}", "[1 2]", "\"open", "{\"a\":1}x", "[}", "nonsense"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(read(wrong), sass::json_error);
  }
  CHECK_THROWS_AS(read(std::string(100000, '[')), sass::json_error);
}

}  // namespace simtlab::emulator::testing
