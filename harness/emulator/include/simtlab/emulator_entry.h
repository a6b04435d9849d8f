// The seam between the CUDA headers, which are compiled into a student's program, and the emulator's runtime: both
// sides include this file. Everything is `extern "C"` and begins with `simtlab_`.
//
// The place in the source of a call (a barrier, a shuffle, an atomic, a launch) is the return address of the entry
// point: the CUDA functions of the headers are inlined into the student's own line, and the source map skips the frames
// that belong to this folder.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// --- Block and warp ------------------------------------------------------------------------------------------------

enum simtlab_predicate_operation { simtlab_predicate_count = 0, simtlab_predicate_and = 1, simtlab_predicate_or = 2 };
enum simtlab_shuffle_kind {
  simtlab_shuffle_index = 0,
  simtlab_shuffle_up = 1,
  simtlab_shuffle_down = 2,
  simtlab_shuffle_xor = 3
};
enum simtlab_vote_kind { simtlab_vote_ballot = 0, simtlab_vote_all = 1, simtlab_vote_any = 2 };
enum simtlab_match_kind { simtlab_match_any = 0, simtlab_match_all = 1 };
enum simtlab_reduce_kind {
  simtlab_reduce_add = 0,
  simtlab_reduce_min_unsigned = 1,
  simtlab_reduce_max_unsigned = 2,
  simtlab_reduce_min_signed = 3,
  simtlab_reduce_max_signed = 4,
  simtlab_reduce_and = 5,
  simtlab_reduce_or = 6,
  simtlab_reduce_xor = 7
};
/// Added to the kind: the mask is that of a group (cooperative_groups.h), which the program does not write.
enum simtlab_primitive_trait { simtlab_of_group = 0x100 };
/// `of_order`, added: the fence is a part of an operation that host code may call, too (scoped_atomics.h).
enum simtlab_fence_scope {
  simtlab_fence_block = 0,
  simtlab_fence_device = 1,
  simtlab_fence_system = 2,
  simtlab_fence_of_order = 0x100
};

/// The running thread's asynchronous copies to shared memory. One is made at once; this says that it may still be under way. Whether
/// a barrier keeps track of it, or a group, until the thread has waited for all groups but so many.
void simtlab_copy_begins(const void* to, unsigned bytes, int is_tracked);
void simtlab_copies_committed(void);
void simtlab_copies_waited(unsigned groups_left);
void simtlab_all_copies_waited(void);
/// The thread arrives at a barrier, which keeps track of its copies.
void simtlab_copies_arrive(void);
void simtlab_syncthreads(void);
int simtlab_syncthreads_reduce(int predicate, int operation);
/// The barrier of that number, until so many threads have come to it; who does not wait only arrives.
void simtlab_named_barrier(unsigned number, unsigned threads, int waits);
void simtlab_syncwarp(unsigned mask);
/// The same, by a tile or a coalesced group.
void simtlab_group_sync(unsigned mask);
/// The barrier of all blocks of a cooperative launch, and whether the launch is one.
void simtlab_grid_sync(void);
int simtlab_is_cooperative(void);
/// `value` holds the bits of a value of up to 8 bytes in its low end; so does the result.
uint64_t simtlab_shuffle(unsigned mask, uint64_t value, unsigned source_or_delta, unsigned kind, unsigned width);
unsigned simtlab_vote(unsigned mask, int predicate, unsigned kind);
/// `all_equal` may be null; it is written for `simtlab_match_all` only.
unsigned simtlab_match(unsigned mask, uint64_t value, unsigned kind, int* all_equal);
unsigned simtlab_reduce(unsigned mask, unsigned value, unsigned kind);
unsigned simtlab_activemask(void);

/// An operation of all 32 lanes of a warp begins: a lane that is not there ends the launch. `function` names it.
void simtlab_whole_warp(const char* function);
/// When all 32 lanes have come, `work` runs once with what each gave; then all go on. Behind `simtlab_whole_warp`.
void simtlab_together(void (*work)(void* const* values), void* value);

/// --- Memory --------------------------------------------------------------------------------------------------------

enum simtlab_atomic_operation {
  simtlab_atomic_add = 0,
  simtlab_atomic_subtract = 1,
  simtlab_atomic_exchange = 2,
  simtlab_atomic_min = 3,
  simtlab_atomic_max = 4,
  simtlab_atomic_increment = 5,  // old >= operand ? 0 : old + 1
  simtlab_atomic_decrement = 6,  // old == 0 || old > operand ? operand : old - 1
  simtlab_atomic_and = 8,
  simtlab_atomic_or = 9,
  simtlab_atomic_xor = 10,
  simtlab_atomic_count = 11  // addition of what the compiler knows to be one
};
/// Added to the width.
enum simtlab_atomic_trait {
  simtlab_atomic_in_block = 0x100,         ///< of block scope
  simtlab_atomic_changes_nothing = 0x200,  ///< whatever stands there: adds what the compiler knows to be 0, say
  simtlab_atomic_acquires = 0x400,         ///< a fence of its scope follows where the result is used
  simtlab_atomic_orders_nothing = 0x800    ///< whatever fences stand beside it: of a barrier's state (below)
};
enum simtlab_atomic_type { simtlab_atomic_signed = 0, simtlab_atomic_unsigned = 1, simtlab_atomic_floating = 2 };

void simtlab_threadfence(int scope);
/// A cuda::barrier orders by phases, and not by the word that it keeps its state in: who arrives releases, for those who have waited
/// for that phase or a later one; they acquire. `phase_bit`: from it on the word counts phases. Host code may call both.
void simtlab_phase_arrival(const uint64_t* state, unsigned phase_bit, int in_block);
void simtlab_phase_end(const uint64_t* state, uint64_t phase, int in_block);
/// `__nanosleep`: nothing waits here, and it orders nothing.
void simtlab_pause(void);
/// One atomic operation on `width` bytes (1, 2, 4 or 8) at `address`; operands and the result (the old value) are bits in
/// the low end of 64. Not for compare-and-swap.
uint64_t simtlab_atomic(volatile void* address, unsigned width, unsigned operation, unsigned type, uint64_t operand);
/// The same at calls whose result is used (translator/used_results.h).
uint64_t simtlab_atomic_used(volatile void* address, unsigned width, unsigned operation, unsigned type,
                             uint64_t operand);
/// The same for compare-and-swap, a function of its own so that its calls can be told in the code
/// (translator/cas_probe_reads.h).
uint64_t simtlab_compare_and_swap(volatile void* address, unsigned width, uint64_t compare, uint64_t value);
/// A strong read and a strong write, of no read-modify-write.
uint64_t simtlab_atomic_load(const volatile void* address, unsigned width);
void simtlab_atomic_store(volatile void* address, unsigned width, uint64_t value);
/// The begin of the running block's dynamic shared memory; `name` is that of the array in the source.
void* simtlab_dynamic_shared(const char* name, unsigned element_bytes);
/// Four words of 32 bits: what a texture fetch returns, in the low end of `low` the first channel.
struct simtlab_texel {
  uint64_t low, high;
};
/// Fetches through a texture object. `type` is what the caller wants: bits 0-1 kind (0 signed, 1 unsigned, 2 float), 2-7 bits
/// of a channel, 8-10 channels. `kind`: dimensions, and 4 of layers, 8 of a cubemap; what it has no use for is not looked at.
struct simtlab_texel simtlab_fetch(uint64_t texture, unsigned type, unsigned kind, float x, float y, float z,
                                   int layer);
struct simtlab_texel simtlab_fetch_element(uint64_t texture, unsigned type, int index);
/// Where a surface object keeps `width` bytes at x (in bytes), y, and z, the layer or the face; null where nothing is read or written.
/// `kind`: as of simtlab_fetch; `mode`: a cudaSurfaceBoundaryMode.
void* simtlab_surface_texel(uint64_t surface, unsigned width, unsigned kind, int x, int y, int z, int mode);
/// An address of shared memory as an offset in the block's window, all ones for any other address; and back.
unsigned simtlab_shared_offset(const void* address);
void* simtlab_shared_address(unsigned offset);
enum simtlab_memory { simtlab_in_global = 0, simtlab_in_shared = 1, simtlab_in_local = 2, simtlab_in_constant = 3 };
/// Where an address lies: of enum simtlab_memory.
unsigned simtlab_memory_of(const void* address);
/// The number of the multiprocessor that runs the block, as if blocks were dealt out in turn; how many there are.
unsigned simtlab_multiprocessor(void);
unsigned simtlab_multiprocessors(void);
/// A count that grows while a thread runs: `clock64()`.
long long simtlab_clock(void);

/// --- Launch --------------------------------------------------------------------------------------------------------

struct simtlab_launch_request {
  const char* kernel;    ///< as written: `tiled<16>`
  const void* function;  ///< address of the kernel; null when template arguments were deduced
  unsigned grid[3];
  unsigned block[3];
  size_t dynamic_shared;
  void* stream;
  void (*invoke)(void* pack);  ///< runs the kernel as the current thread; carries no hooks of its own
  void* pack;                  ///< the converted arguments, valid until `simtlab_launch` returns
  size_t pack_bytes;
  const void* const* arguments;    ///< [argument_count] addresses inside `pack`, in the order of the parameters
  const unsigned* argument_bytes;  ///< [argument_count]
  const unsigned char* argument_is_pointer;  ///< [argument_count]
  unsigned argument_count;
  const void* attributes;  ///< [attribute_count] of cudaLaunchAttribute
  unsigned attribute_count;
};

void simtlab_launch(const struct simtlab_launch_request* request);

/// Launches a kernel whose type is not known where it is launched: `arguments` point to what its parameters get.
typedef void (*simtlab_launcher)(const void* kernel, const struct simtlab_launch_request* request, void** arguments);
/// The kernel's address is about to lose its type.
void simtlab_know_kernel(const void* kernel, simtlab_launcher launcher);
/// Launches what was known so; reports what was not, which `request->kernel` calls by the function that launches.
void simtlab_launch_known(const void* kernel, const struct simtlab_launch_request* request, void** arguments);

/// Whether the addresses of `count` arguments are there. Where one is missing, that is reported, and the launch has failed.
int simtlab_has_arguments(const struct simtlab_launch_request* request, void** arguments, unsigned count);

/// --- Symbols -------------------------------------------------------------------------------------------------------

enum simtlab_symbol_kind {
  simtlab_symbol_shared = 0,
  simtlab_symbol_constant = 1,
  simtlab_symbol_device = 2,
  simtlab_symbol_managed = 3,
  simtlab_symbol_shared_by_function =
      4  ///< shared, where an assembler has no words for an offset in thread-local memory
};

/// Managed variables lie among the device variables, in section `simtlab_device`; the host may access them too.
/// The assembly step leaves one such record in section `simtlab_symbols` for every variable of a student's object that
/// lives in device memory; the linker joins them between `__start_simtlab_symbols` and `__stop_simtlab_symbols`.
struct simtlab_symbol_record {
  uint64_t kind;
  /// Shared: offset in the program's thread-local segment. Shared by function: the address of a function that returns the
  /// variable's on the thread that calls it. Otherwise the address.
  uint64_t begin;
  uint64_t bytes;    ///< without the red zone behind it
  const char* name;  ///< mangled
};

/// --- Machine code --------------------------------------------------------------------------------------------------

/// With --engine sass the assembly step leaves one such record in section `simtlab_machine_code` for each source.
struct simtlab_machine_code {
  uint64_t cubin_bytes, listing_bytes, resource_bytes, call_bytes;
  /// Behind it, each filled up to a multiple of 8: the cubin; what `nvdisasm -json -g` says of it; what `ptxas -v` says of each function,
  /// in lines of its mangled name, registers, and bytes of stack, spill stores and spill loads; and the lines of
  /// driver/inlined_calls.h.
};

/// --- Launch bounds -------------------------------------------------------------------------------------------------

/// The assembly step leaves one such record in section `simtlab_launch_bounds` for every kernel with `__launch_bounds__`, and for
/// every function that calls one by its name (`invoke` of a launch).
struct simtlab_launch_bound {
  const void* function;
  uint64_t threads;  ///< a block's, at most
};

/// An amount that a value of `width` bits is shifted by, at most `width`; more is told. No memory of the program's changes.
/// Calls for one `line` may become one.
unsigned simtlab_shift_amount(unsigned amount, unsigned width, unsigned line)
#ifdef __cplusplus
    __attribute__((const, leaf, nothrow));
#else
    ;
#endif

/// --- Arithmetic ----------------------------------------------------------------------------------------------------

enum simtlab_rounding { simtlab_round_nearest, simtlab_round_to_zero, simtlab_round_up, simtlab_round_down };
enum simtlab_rounded_operation {
  simtlab_rounded_add,
  simtlab_rounded_subtract,
  simtlab_rounded_multiply,
  simtlab_rounded_divide,
  simtlab_rounded_square_root,  ///< of the first operand
  simtlab_rounded_fused         ///< the first two multiplied, and the third added
};
float simtlab_rounded_float(unsigned operation, unsigned rounding, float a, float b, float c);
double simtlab_rounded_double(unsigned operation, unsigned rounding, double a, double b, double c);
float simtlab_float_of_double(unsigned rounding, double x);
float simtlab_float_of_signed(unsigned rounding, long long x);
float simtlab_float_of_unsigned(unsigned rounding, unsigned long long x);
double simtlab_double_of_signed(unsigned rounding, long long x);
double simtlab_double_of_unsigned(unsigned rounding, unsigned long long x);

/// XORWOW's five words without its counter, `count` times 2^`doublings` draws after `from` (at most 67 doublings).
struct simtlab_xorshift {
  unsigned word[5];
};
struct simtlab_xorshift simtlab_jump_xorshift(struct simtlab_xorshift from, uint64_t count, unsigned doublings);

/// --- Calls that the assembly step redirects ------------------------------------------------------------------------

void* simtlab_memcpy(void* to, const void* from, size_t bytes);
void* simtlab_memmove(void* to, const void* from, size_t bytes);
void* simtlab_memset(void* to, int value, size_t bytes);
/// glibc's `__assert_fail`, called where a student's assertion does not hold.
void simtlab_assert_fail(const char* expression, const char* file, unsigned line, const char* function)
#ifdef __cplusplus
    __attribute__((noreturn));
#else
    ;
#endif
/// g++ calls this where a function that is not void ends without a return statement; nothing of it stands behind the call.
void simtlab_missing_return(void* place)
#ifdef __cplusplus
    __attribute__((noreturn));
#else
    ;
#endif

#ifdef __cplusplus
}
#endif
