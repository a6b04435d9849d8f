//// kernel's result/int
__global__ int k(int* p) { return 0; }
//// kernel's result/void
__global__ void k(int* p) { return; }
//// kernel's result/template
template <class T> __global__ T k(T* p) { return p[0]; }
void run(int* p) { k<<<1, 1>>>(p); }
//// kernel's result/deduced
__global__ auto k(int* p) {}
//// kernel's result/behind the parameters
__global__ auto k(int* p) -> void { *p = 0; }
//// kernel's result/int behind the parameters
__global__ auto k(int* p) -> int { return *p; }
//// kernel's result/pointer
__global__ int* k(int* p) { return p; }
//// kernel's qualifiers/both
__global__ __device__ void k(int* p) {}
//// kernel's qualifiers/host
__global__ __host__ void k(int* p) {}
//// kernel's qualifiers/bounds
__global__ void __launch_bounds__(128) k(int* p) { p[0] = 1; }
//// kernel as a member/static
struct S { static __global__ void k(int* p) { p[0] = 1; } };
//// kernel as a member/plain
struct S { __global__ void k(int* p) { p[0] = 1; } };
//// kernel as a member/device
struct S { static __device__ void k(int* p) { p[0] = 1; } };
//// kernel's parameters/ellipsis
__global__ void k(int a, ...) {}
//// kernel's parameters/reference
__global__ void k(int& a) { a = 1; }
//// kernel's parameters/class
struct S { int a[3]; };
__global__ void k(S s, int* p) { p[0] = s.a[1]; }
//// kernel's parameters/default
__global__ void k(int* p, int a = 3) { p[0] = a; }
void run(int* p) { k<<<1, 1>>>(p); }
//// redeclared/without global
__global__ void f(int* x);
void f(int* x) {}
//// redeclared/with global
void f(int* x);
__global__ void f(int* x) {}
//// redeclared/global twice
__global__ void f(int* x);
__global__ void f(int* x) { x[0] = 1; }
//// redeclared/without device
__device__ int f(int x);
int f(int x) { return x; }
__global__ void k(int* p) { p[0] = f(1); }
//// redeclared/with device
int f(int x);
__device__ int f(int x) { return x; }
__global__ void k(int* p) { p[0] = f(1); }
//// host and device/calls device
__device__ int d(int x) { return x; }
__host__ __device__ int hd(int x) { return d(x); }
int run() { return hd(1); }
//// host and device/calls host
int h(int x) { return x; }
__host__ __device__ int hd(int x) { return h(x); }
int run() { return hd(1); }
//// host and device/reads host
int n = 3;
__host__ __device__ int hd() { return n; }
//// host and device/reads device
__device__ int n = 3;
__host__ __device__ int hd() { return n; }
//// host and device/calls itself
__host__ __device__ int hd(int n) { return n < 2 ? 1 : n * hd(n - 1); }
__global__ void k(int* p) { p[0] = hd(3); }
int run() { return hd(4); }
//// host and device/atomic
__host__ __device__ void hd(int* p) { atomicAdd(p, 1); }
//// local class/calls host method
__global__ void k(int* p) { struct L { int g(int x) { return x; } } l; p[1] = l.g(2); }
//// local class/calls device method
__global__ void k(int* p) { struct L { __device__ int g(int x) { return x; } } l; p[1] = l.g(2); }
//// lambda/annotated
template <class F> __global__ void k(F f, int* p) { p[0] = f(1); }
void run(int* p) { auto f = [] __device__ (int x) { return x; }; k<<<1, 1>>>(f, p); }
//// lambda/host's to a kernel
template <class F> __global__ void k(F f, int* p) { p[0] = f(1); }
void run(int* p) { auto f = [](int x) { return x; }; k<<<1, 1>>>(f, p); }
//// lambda/device's in a kernel
template <class F> __device__ int apply(F f) { return f(2); }
__global__ void k(int* p) { p[0] = apply([=](int x) { return x + p[1]; }); }
//// lambda/host's in host code
template <class F> int apply(F f) { return f(2); }
int run(int* p) { return apply([=](int x) { return x + p[1]; }); }
//// functor/host's to a kernel
struct F { int operator()(int x) const { return x; } };
template <class G> __global__ void k(G f, int* p) { p[0] = f(1); }
void run(int* p) { k<<<1, 1>>>(F(), p); }
//// functor/device's to a kernel
struct F { __device__ int operator()(int x) const { return x; } };
template <class G> __global__ void k(G f, int* p) { p[0] = f(1); }
void run(int* p) { k<<<1, 1>>>(F(), p); }
//// unused/template
int h(int);
template <class T> __global__ void k(T* p) { p[0] = h(p[0]); }
//// unused/static device
int h(int);
static __device__ int d(int x) { return h(x); }
//// unused/inline device
int h(int);
inline __device__ int d(int x) { return h(x); }
//// unused/method
int h(int);
struct S { __device__ int d(int x) { return h(x); } };
//// unused/static host
__device__ int d(int x) { return x; }
static int h(int x) { return d(x); }
//// not evaluated/sizeof
int h(int);
__global__ void k(int* p) { p[0] = sizeof(h(1)); }
//// not evaluated/decltype
int h(int);
__global__ void k(int* p) { decltype(h(1)) x = 3; p[0] = x; }
//// not evaluated/if constexpr
int h(int);
__global__ void k(int* p) { if constexpr (false) p[0] = h(1); }
//// not evaluated/if
int h(int);
__global__ void k(int* p) { if (p[0] == 1234) p[0] = h(1); }
//// constants/float
const float t = 3.f;
__global__ void k(float* p) { p[0] = t; }
//// constants/double
const double t = 3.;
__global__ void k(float* p) { p[0] = t * 2; }
//// constants/int
const int n = 8;
__global__ void k(int* p) { int a[n]; a[p[0]] = n; p[0] = a[1]; }
//// constants/constexpr
constexpr int n = 8;
constexpr float f = 0.5f;
__global__ void k(float* p) { p[n] = f; }
//// constants/enum
enum { size = 16 };
__global__ void k(int* p) { p[0] = size; }
//// constants/dynamic
int g();
const int t = g();
__global__ void k(int* p) { p[0] = t; }
//// constants/by reference
const int t = 3;
__device__ int f(const int& x) { return x; }
__global__ void k(int* p) { p[0] = f(t); }
//// constants/by value
const int t = 3;
__device__ int f(int x) { return x; }
__global__ void k(int* p) { p[0] = f(t); }
//// constants/constexpr array
constexpr float t[3] = {1, 2, 3};
__global__ void k(float* p) { p[0] = t[threadIdx.x]; }
//// constants/static member
struct S { static constexpr int n = 3; static const int m = 4; static constexpr float f = 2.f; };
__global__ void k(float* p) { p[0] = S::n + S::m + S::f; }
//// constants/static in a kernel
__global__ void k(int* p) { static int n = 3; p[0] = n++; }
//// constants/array in a kernel
__global__ void k(int* p) { const int t[3] = {1, 2, 3}; p[0] = t[p[1] & 1]; }
//// device variables/read by the host
__device__ int d;
int run() { return d; }
//// device variables/symbol
__device__ int d[4];
__constant__ float c[4];
void run(const float* h, int* r) { cudaMemcpyToSymbol(c, h, 16); cudaMemcpyFromSymbol(r, d, 16); }
__global__ void k() { d[threadIdx.x & 3] = (int)c[threadIdx.x & 3]; }
//// device variables/dynamic value
int h();
__device__ int n = h();
//// device variables/constant value
constexpr int h() { return 3; }
__device__ int n = h();
//// device variables/constructor
struct A { int v; __device__ A() { v = 1; } };
__device__ A a;
//// device variables/no constructor
struct A { int v = 3; };
__device__ A a;
__global__ void k(int* p) { p[0] = a.v; }
//// device variables/constexpr constructor
struct A { int v; __host__ __device__ constexpr A() : v(1) {} };
__constant__ A a;
__global__ void k(int* p) { p[0] = a.v; }
//// device variables/of a host function
void run() { __device__ int x; x = 0; }
//// device variables/constant of a host function
void run() { __constant__ int x; }
//// device variables/of a kernel
__global__ void k(int* p) { __device__ int x; x = p[0]; }
//// device variables/constant of a kernel
__global__ void k(int* p) { __constant__ int x; p[0] = x; }
//// device variables/static of a kernel
__global__ void k(int* p) { static __device__ int x; p[0] = x; }
//// device variables/extern
extern __device__ int x;
__global__ void k(int* p) { p[0] = x; }
//// device variables/namespace
namespace inner { __device__ int x; __constant__ int y = 2; }
__global__ void k(int* p) { p[0] = inner::x + inner::y; }
//// device variables/template
template <class T> __device__ T value = 3;
__global__ void k(int* p) { p[0] = value<int>; }
//// device variables/managed
__managed__ int m = 1;
__global__ void k(int* p) { p[0] = m; }
int run() { return m; }
//// shared variables/plain
__global__ void k(int* p) { __shared__ int s[4]; s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[3]; }
//// shared variables/namespace
__shared__ float s[9];
__global__ void k(float* p) { s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[5]; }
//// shared variables/dynamic
__global__ void k(float* p) { extern __shared__ float dynamic[]; dynamic[threadIdx.x] = p[0]; __syncthreads(); p[0] = dynamic[5]; }
//// shared variables/device function
__device__ float sum(float x) { __shared__ float s[32]; s[threadIdx.x & 31] = x; __syncthreads(); return s[0]; }
__global__ void k(float* p) { p[0] = sum(p[1]); }
//// shared variables/class
struct S { int a; };
__global__ void k(int* p) { __shared__ S s; s.a = p[0]; __syncthreads(); p[0] = s.a; }
//// shared variables/initialiser alone
__global__ void k(int* p) { __shared__ int x = 0; p[0] = x; }
//// shared variables/array's initialiser alone
__global__ void k(int* p) { __shared__ int x[2] = {1, 2}; p[0] = x[1]; }
//// shared variables/too large alone
__global__ void k(float* p) { __shared__ float x[12289]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = x[5]; }
//// shared variables/just fits alone
__global__ void k(float* p) { __shared__ float x[12288]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = x[5]; }
//// shared variables/two too large alone
__global__ void k(float* p) { __shared__ float x[8192]; __shared__ double y[4096]; x[threadIdx.x] = p[0]; y[threadIdx.x] = p[1]; __syncthreads(); p[0] = x[5] + y[5]; }
//// shared variables/too large in all alone
__device__ float sum(float x) { __shared__ float s[8192]; s[threadIdx.x] = x; __syncthreads(); return s[0]; }
__global__ void k(float* p) { __shared__ float x[8192]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = sum(x[5]); }
//// shared variables/one in each of two kernels alone
__global__ void k(float* p) { __shared__ float x[8192]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = x[5]; }
__global__ void l(float* p) { __shared__ float x[8192]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = x[5]; }
//// shared variables/too large in a template alone
template <int N> __global__ void k(float* p) { __shared__ float x[N]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = x[5]; }
void run(float* p) { k<16384><<<1, 1>>>(p); }
//// shared variables/fits in a template alone
template <int N> __global__ void k(float* p) { __shared__ float x[N]; x[threadIdx.x] = p[0]; __syncthreads(); p[0] = x[5]; }
void run(float* p) { k<1024><<<1, 1>>>(p); }
//// undefined function/device alone
__device__ int f(int);
__global__ void k(int* p) { p[0] = f(1); }
//// exceptions/try
__global__ void k(int* p) { try { p[0] = 1; } catch (...) {} }
//// exceptions/throw
__global__ void k(int* p) { if (p[0]) throw 1; }
//// exceptions/host
int run(int* p) { try { if (p[0]) throw 1; } catch (int) { return 2; } return 0; }
//// run-time types/typeid
__global__ void k(const char** p) { p[0] = typeid(int).name(); }
//// run-time types/dynamic_cast
struct A { __device__ virtual int f() { return 1; } };
struct B : A {};
__global__ void k(A* p) { B* b = dynamic_cast<B*>(p); b->f(); }
//// run-time types/virtual
struct A { __device__ virtual int f() { return 1; } };
__global__ void k(int* p) { A a; p[0] = a.f(); }
//// run-time types/overridden for the host
struct A { __device__ virtual int f() { return 1; } };
struct B : A { int f() override { return 2; } };
__global__ void k(int* p) { B b; p[0] = b.f(); }
//// run-time types/overridden for the device
struct A { __device__ virtual int f() { return 1; } };
struct B : A { __device__ int f() override { return 2; } };
__global__ void k(int* p) { B b; p[0] = b.f(); }
//// storage/thread_local
__global__ void k(int* p) { thread_local int x = 0; p[0] = x++; }
//// storage/size known late alone
__global__ void k(int* p, int n) { int a[n]; a[0] = 1; p[0] = a[0]; }
//// storage/new
__global__ void k(int* p) { int* q = new int[3]; q[0] = p[0]; p[0] = q[0]; delete[] q; }
//// storage/placement new
__global__ void k(int* p) { int* q = new (p) int(3); p[1] = *q; }
//// storage/malloc
__global__ void k(int* p) { int* q = (int*)malloc(8); q[0] = p[0]; p[0] = q[0]; free(q); }
//// launch/in a kernel alone
__global__ void c(int* p) {}
__global__ void k(int* p) { c<<<1, 1>>>(p); }
//// launch/through a pointer
__global__ void c(int* p) {}
void run(int* p) { void (*f)(int*) = c; f<<<1, 1>>>(p); }
//// launch/of a template
template <int N, class T> __global__ void c(T* p) { p[0] = N; }
void run(int* p) { c<3><<<1, 1>>>(p); c<4, int><<<dim3(1), dim3(2), 16, 0>>>(p); }
//// launch/recursion
__global__ void k(int* p) { k(p); }
//// addresses/device function's on the host
__device__ int d(int x) { return x; }
bool run() { int (*f)(int) = d; return f != nullptr; }
//// addresses/kernel's on the host
__global__ void k(int* p) { p[0] = 1; }
const void* run() { return (const void*)k; }
//// addresses/device variable's on the host
__device__ int d;
bool run() { int* p = &d; return p != nullptr; }
//// addresses/table of device functions
__device__ int one(int x) { return x; }
__device__ int two(int x) { return 2 * x; }
__device__ int (*const table[])(int) = {one, two};
__global__ void k(int* p) { p[0] = table[p[1] & 1](p[2]); }
//// built-in variables/host
int run() { return threadIdx.x; }
//// built-in variables/kernel
__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = gridDim.x; }
//// defaulted members/all
struct A { int v = 2; A() = default; A(const A&) = default; A& operator=(const A&) = default; };
__global__ void k(int* p) { A b; A c = b; b = c; p[0] = b.v; }
//// defaulted members/out of the class
struct A { int v = 2; A(); };
A::A() = default;
__global__ void k(int* p) { A b; p[0] = b.v; }
//// defaulted members/vector types
struct A { float4 f; int2 i; };
__global__ void k(A* p) { A a = p[0]; a.f = make_float4(1, 2, 3, 4); p[1] = a; }
//// defaulted members/template
template <class T> struct A { T v{}; };
__global__ void k(int* p) { A<int> a; A<int> b = a; p[0] = b.v; }
//// defaulted members/inherited constructors
struct A { int v; __device__ A(int x) : v(x) {} };
struct B : A { using A::A; };
__global__ void k(int* p) { B b(3); p[0] = b.v; }
//// mathematics/std
__global__ void k(float* p) { p[0] = std::sqrt(p[0]) + std::abs(p[1]) + std::pow(p[1], 2.0f) + std::fmax(p[0], 1.f); }
//// mathematics/C
__global__ void k(float* p) { p[0] = sqrtf(p[0]) + fabs(p[1]) + powf(p[1], 2) + sinf(p[2]) + exp(p[3]) + floorf(p[4]); }
//// mathematics/classes of numbers
__global__ void k(float* p) { p[0] = isnan(p[1]) + isinf(p[2]) + signbit(p[3]); }
//// mathematics/long double
__global__ void k(double* p) { p[0] = fma(p[1], p[2], p[3]) + hypot(p[1], p[2]) + cbrt(p[3]) + rint(p[4]); }
//// templates/device function of a host template argument
template <int (*F)(int)> __device__ int apply(int x) { return F(x); }
int h(int x) { return x; }
__global__ void k(int* p) { p[0] = apply<h>(3); }
//// templates/device function of a device template argument
template <int (*F)(int)> __device__ int apply(int x) { return F(x); }
__device__ int d(int x) { return x; }
__global__ void k(int* p) { p[0] = apply<d>(3); }
//// templates/specialised for the host
template <class T> __device__ T f(T x) { return x; }
template <> float f<float>(float x) { return x + 1; }
__global__ void k(float* p) { p[0] = f(p[1]); }
//// templates/specialised for the device
template <class T> __device__ T f(T x) { return x; }
template <> __device__ float f<float>(float x) { return x + 1; }
__global__ void k(float* p) { p[0] = f(p[1]); }
//// templates/recursion
template <int N> __device__ int f(int x) { if constexpr (N > 0) return f<N - 1>(x) + 1; else return x; }
__global__ void k(int* p) { p[0] = f<5>(p[1]); }
//// templates/variadic
__device__ int sum() { return 0; }
template <class T, class... R> __device__ int sum(T x, R... r) { return x + sum(r...); }
__global__ void k(int* p) { p[0] = sum(1, 2, 3); }
//// operators/friend of the device
struct A { int v; friend __device__ A operator-(A a, A b) { return {a.v - b.v}; } };
__global__ void k(A* p) { p[0] = p[1] - p[2]; }
//// operators/friend of the host
struct A { int v; friend A operator-(A a, A b) { return {a.v - b.v}; } };
__global__ void k(A* p) { p[0] = p[1] - p[2]; }
//// operators/index
struct A { int v[3]; __host__ __device__ int& operator[](int i) { return v[i]; } };
__global__ void k(A* p) { p[0][1] = p[1][2]; }
int run(A a) { return a[1]; }
//// names/shadowed
int n = 3;
__global__ void k(int* p, int n) { p[0] = n; }
//// names/local shadows host
int n = 3;
__global__ void k(int* p) { int n = p[1]; p[0] = n; }
//// names/member like a host variable
int n = 3;
struct S { int n; };
__global__ void k(S* p) { p[0].n = p[1].n; }
//// names/label like a host variable
int done = 3;
__global__ void k(int* p) { if (p[0]) goto done; p[1] = 2; done: p[2] = 3; }
//// names/type like a host variable
struct tile { int v; };
tile tile_of_host;
__global__ void k(struct tile* p) { struct tile t = p[0]; p[1] = t; }
//// names/device function like a host method
struct S { int get() { return 1; } };
__device__ int get() { return 2; }
__global__ void k(int* p) { p[0] = get(); }
//// late calls/method of a parameter
struct A { int v; __device__ int get(int x) const { return v + x; } };
template <class T> void t(int* p) { T a{p[1]}; p[0] = a.get(p[2]); }
void run(int* p) { t<A>(p); }
//// late calls/method of a parameter's object
struct A { int v; __device__ int get(int x) const { return v + x; } };
template <class T> void t(T a, int* p) { p[0] = a.get(p[2]); }
void run(int* p) { t(A{1}, p); }
//// late calls/method of a class template
template <class T> struct A { T v; __device__ T get(T x) const { return v + x; } };
template <class T> void t(T* p) { A<T> a{p[1]}; p[0] = a.get(p[2]); }
void run(int* p) { t(p); }
//// late calls/method of a parameter's member
struct B { int v; __device__ int get(int x) const { return v + x; } };
struct A { B b; };
template <class T> void t(T a, int* p) { p[0] = a.b.get(p[2]); }
void run(int* p) { t(A{{1}}, p); }
//// late calls/method of a parameter's type
struct A { struct B { int v; __device__ int get(int x) const { return v + x; } }; };
template <class T> void t(int* p) { typename T::B b{p[1]}; p[0] = b.get(p[2]); }
void run(int* p) { t<A>(p); }
//// late calls/method for both sides
struct A { int v; __device__ int get(int x) const { return v + x; } };
template <class T> __host__ __device__ void t(T* p) { A a{1}; p[0] = a.get(p[2]); }
__global__ void k(int* p) { t(p); }
//// branches by architecture/both sides, intrinsic
__host__ __device__ inline float f(float x) {
#ifdef __CUDA_ARCH__
  return __expf(x);
#else
  return expf(x);
#endif
}
__global__ void k(float* p) { p[0] = f(p[0]); }
float run() { return f(1); }
//// branches by architecture/both sides, atomic
__host__ __device__ inline void add(int* p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  atomicAdd(p, 1);
#else
  ++*p;
#endif
}
__global__ void k(int* p) { add(p); }
//// branches by architecture/both sides, device function
__device__ int d(int x) { return x; }
__host__ __device__ int f(int x) {
#ifndef __CUDA_ARCH__
  return x;
#else
  return d(x);
#endif
}
//// branches by architecture/both sides, method of an object
struct A { int v; __device__ int get(int x) const { return v + x; } };
struct F {
  __host__ __device__ int operator()(int x) const {
#ifdef __CUDA_ARCH__
    A a{1};
    return a.get(x);
#else
    return x;
#endif
  }
};
__global__ void k(int* p) { p[0] = F{}(p[1]); }
//// branches by architecture/both sides, template
__device__ int d(int x) { return x; }
template <class T> __host__ __device__ T t(T x) {
#if defined(__CUDA_ARCH__)
  return d(1);
#else
  return x;
#endif
}
__global__ void k(int* p) { p[0] = t(p[1]); }
//// branches by architecture/host's, device function
__device__ int d(int x) { return x; }
int f(int x) {
#ifdef __CUDA_ARCH__
  return d(x);
#else
  return x;
#endif
}
//// branches by architecture/macro for both sides
__device__ int d(int x) { return x; }
#ifdef __CUDA_ARCH__
#define CHOSEN(x) d(x)
#else
#define CHOSEN(x) (x)
#endif
__host__ __device__ int f(int x) { return CHOSEN(x); }
int g(int x) { return CHOSEN(x); }
//// branches by architecture/host's branch calls host code
int h(int x) { return x; }
__host__ __device__ int f(int x) {
#ifdef __CUDA_ARCH__
  return x;
#else
  return h(x);
#endif
}
//// branches by architecture/device's branch calls host code
int h(int x) { return x; }
__device__ int f(int x) {
#ifdef __CUDA_ARCH__
  return h(x);
#else
  return x;
#endif
}
//// branches by architecture/device's branch of both calls host code
int h(int x) { return x; }
__host__ __device__ int f(int x) {
#ifdef __CUDA_ARCH__
  return h(x);
#else
  return x;
#endif
}
__global__ void k(int* p) { p[0] = f(p[1]); }
//// branches by architecture/beside the branch
__device__ int d(int x) { return x; }
__host__ __device__ int f(int x) {
#ifdef __CUDA_ARCH__
  x = d(x);
#endif
  return d(x);
}
//// printing/a sentence
__global__ void k(int* p) { if (p[0] < 0) printf("a negative element\n"); }
//// printing/a letter
__global__ void k(int* p) { printf("x"); printf("%c", 'y'); }
//// printing/a string
__device__ void d(const char* text) { printf("%s\n", text); printf("%s", "z"); printf("%%\n"); printf("\n"); }
__global__ void k(int* p) { d("text"); }
//// printing/puts
__global__ void k(int* p) { puts("a sentence"); }
//// printing/putchar
__global__ void k(int* p) { putchar('x'); }
//// printing/std
__global__ void k(int* p) { std::printf("a sentence\n"); }
//// constant memory/too much alone
__constant__ float table[16385];
__global__ void k(float* p) { p[0] = table[threadIdx.x]; }
//// constant memory/all alone
__constant__ float table[16384];
__global__ void k(float* p) { p[0] = table[threadIdx.x]; }
//// constant memory/too much of two alone
__constant__ float table[16000];
__constant__ double other[200];
__global__ void k(float* p) { p[0] = table[threadIdx.x] + other[threadIdx.x]; }
