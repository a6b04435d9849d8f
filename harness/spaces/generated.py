"""Programs made of a place and an offence: what may not be said in device code, or in host code, said in each kind of
function; beside each the same program with the one word that makes it legal."""

from __future__ import annotations

from dataclasses import dataclass

_IN_DEVICE_CODE = {
    "kernel": "__global__ void k(int* p) {{ {use} }}",
    "device function": "__device__ void d(int* p) {{ {use} }}\n__global__ void k(int* p) {{ d(p); }}",
    "template": "template <class T> __global__ void k(T* p) {{ {use} }}\nvoid run(int* p) {{ k<<<1, 1>>>(p); }}",
    "lambda": "__global__ void k(int* p) {{ auto f = [=](int i) {{ {use} return i; }}; p[5] = f(p[6]); }}",
    "method": "struct S {{ int* p; __device__ void m() const {{ {use} }} }};\n"
    "__global__ void k(int* p) {{ S s{{p}}; s.m(); }}",
    "constructor": "struct S {{ __device__ S(int* p) {{ {use} }} }};\n__global__ void k(int* p) {{ S s(p); }}",
    "functor": "struct F {{ __device__ void operator()(int* p) const {{ {use} }} }};\n"
    "template <class G> __global__ void k(G g, int* p) {{ g(p); }}\nvoid run(int* p) {{ k<<<1, 1>>>(F{{}}, p); }}",
    "branch": "__global__ void k(int* p) {{ for (int i = 0; i < p[3]; ++i) if (p[i] > 0) {{ {use} }} }}",
}
_IN_HOST_CODE = {
    "function": "void run(int* p) {{ {use} }}",
    "template": "template <class T> void t(T* p) {{ {use} }}\nvoid run(int* p) {{ t(p); }}",
    "lambda": "void run(int* p) {{ auto f = [=](int i) {{ {use} return i; }}; p[5] = f(p[6]); }}",
    "method": "struct S {{ int* p; void m() const {{ {use} }} }};\nvoid run(int* p) {{ S s{{p}}; s.m(); }}",
    "constructor": "struct S {{ S(int* p) {{ {use} }} }};\nvoid run(int* p) {{ S s(p); }}",
    "branch": "void run(int* p) {{ for (int i = 0; i < p[3]; ++i) if (p[i] > 0) {{ {use} }} }}",
}


@dataclass(frozen=True)
class Offence:
    """`before` and `use` break a rule; the legal pair looks alike. `@` in `before` is `mark` in the legal program and
    nothing in the other, where that is all the difference."""

    name: str
    before: str
    use: str
    mark: str = ""
    legal_before: str = ""
    legal_use: str = ""

    def illegal(self) -> tuple[str, str]:
        return self.before.replace("@", ""), self.use

    def legal(self) -> tuple[str, str]:
        return self.legal_before or self.before.replace("@", self.mark), self.legal_use or self.use


_D = "__device__ "
_DEVICE_OFFENCES = [
    Offence("host function", "@int h(int x) { return x + 1; }", "p[0] = h(p[1]);", _D),
    Offence("host function template", "template <class T> @T h(T x) { return x + 1; }", "p[0] = h(p[1]);", _D),
    Offence("host method", "struct A { int v; @int get() const { return v; } };", "A a{p[1]}; p[0] = a.get();", _D),
    Offence("host constructor", "struct A { int v; @A(int x) : v(x) {} };", "A a(p[1]); p[0] = a.v;", _D),
    Offence("host destructor", "struct A { int v; @~A() { v = 0; } };", "A a{p[1]}; p[0] = a.v;", _D),
    Offence(
        "host operator",
        "struct A { int v; };\n@A operator+(A a, A b) { return {a.v + b.v}; }",
        "A a{p[1]}; p[0] = (a + a).v;",
        _D,
    ),
    Offence("host static method", "struct A { @static int f(int x) { return x; } };", "p[0] = A::f(p[1]);", _D),
    Offence("host conversion", "struct A { int v; @operator int() const { return v; } };", "A a{p[1]}; p[0] = a;", _D),
    Offence(
        "host overload",
        "int h(double x) { return 1; }\n__device__ int h(int x) { return 2; }",
        "p[0] = h(1.5);",
        legal_use="p[0] = h(2);",
    ),
    Offence(
        "member's constructor",
        "struct A { int v; @A() : v(1) {} };\nstruct B { A a; int w; };",
        "B b; p[0] = b.a.v;",
        _D,
    ),
    Offence(
        "base's constructor", "struct A { int v; @A() : v(1) {} };\nstruct B : A { int w; };", "B b; p[0] = b.v;", _D
    ),
    Offence(
        "member's copy",
        "struct A { int v; @A(const A& o) : v(o.v) {} };\nstruct B { A a; };",
        "B b(*(B*)p); p[0] = b.a.v;",
        _D,
    ),
    Offence(
        "default argument",
        "@int h() { return 1; }\n__device__ int d0(int x = h()) { return x; }",
        "p[0] = d0();",
        legal_use="p[0] = d0(1);",
    ),
    Offence("host variable read", "@int n = 3;", "p[0] = n;", _D),
    Offence("host variable written", "@int n = 3;", "n = p[0];", _D),
    Offence("host array", "@float t[4] = {1, 2, 3, 4};", "p[0] = (int)t[p[1] & 3];", "__constant__ "),
    Offence(
        "static host variable",
        "static @int n[2];\nvoid fill() { n[0] = 1; }",
        "p[0] = n[p[1] & 1];",
        legal_before="static __device__ int n[2];",
    ),
    Offence("constant host array", "@const int t[3] = {1, 2, 3};", "p[0] = t[p[1] & 1];", "__constant__ "),
    Offence("address of a constant", "@const int n = 3;", "const int* q = &n; p[0] = *q;", legal_use="p[0] = n;"),
    Offence(
        "static member",
        "struct A { static int n; };\nint A::n = 3;",
        "p[0] = A::n;",
        legal_before="struct A { static constexpr int n = 3; };",
    ),
    Offence("host object", "struct A { int v; };\n@A a0;", "p[0] = a0.v;", _D),
    Offence("pointer to a host function", "@int h(int x) { return x + 1; }", "int (*f)(int) = h; p[0] = f(p[1]);", _D),
    Offence(
        "kernel as a function",
        "__global__ void g(int* p) { p[0] = 1; }",
        "g(p);",
        legal_before="__device__ void g(int* p) { p[0] = 1; }",
    ),
    Offence("constexpr function", "@constexpr int sq(int x) { return x * x; }", "p[0] = sq(p[1]);", _D),
    Offence("constexpr function of a constant", "@constexpr int sq(int x) { return x * x; }", "p[0] = sq(3);", _D),
    Offence(
        "constexpr function for a constant",
        "@constexpr int sq(int x) { return x * x; }",
        "constexpr int n = sq(3); p[0] = n;",
        _D,
    ),
    Offence("std::swap", "@", "std::swap(p[0], p[1]);", legal_use="int x = std::move(p[0]); p[1] = x;"),
    Offence("std::vector", "@", "std::vector<int> v(3); p[0] = v[1];", legal_use="int v[3] = {}; p[0] = v[1];"),
    Offence("std::string", "@", 'std::string s = "a"; p[0] = s.size();', legal_use='const char* s = "a"; p[0] = s[0];'),
    Offence("std::cout", "@", "std::cout << p[0];", legal_use='printf("%d", p[0]);'),
    Offence("std::min", "@", "p[0] = std::min(p[1], p[2]);", legal_use="p[0] = min(p[1], p[2]);"),
    Offence("std::numeric_limits", "@", "p[0] = std::numeric_limits<int>::max();", legal_use="p[0] = INT_MAX;"),
    Offence("std::array", "@", "std::array<int, 3> v; v[p[1]] = 1; p[0] = v[0];", legal_use="p[0] = p[1];"),
    Offence("rand", "@", "p[0] = rand();", legal_use="p[0] = abs(p[1]);"),
    Offence("memory functions", "@", "memmove(p, p + 1, 4);", legal_use="memcpy(p, p + 1, 4);"),
    Offence("memcmp", "@", "p[0] = memcmp(p, p + 1, 4);", legal_use="memset(p, 0, 4);"),
    Offence("strlen", "@", "p[0] = strlen((const char*)p);", legal_use="p[0] = ((const char*)p)[0];"),
    Offence("sprintf", "@", 'sprintf((char*)p, "%d", p[1]);', legal_use='printf("%d", p[1]);'),
    Offence("exit", "@", "exit(p[0]);", legal_use="assert(p[0]);"),
    Offence("time", "@", "p[0] = time(nullptr);", legal_use="p[0] = clock64();"),
    Offence("runtime API", "@", "cudaDeviceSynchronize();", legal_use="__syncthreads();"),
    Offence("cudaMemcpy", "@", "cudaMemcpy(p, p + 1, 4, cudaMemcpyDeviceToDevice);", legal_use="p[0] = p[1];"),
]
_HOST_OFFENCES = [
    Offence("device function", "@__device__ int d(int x) { return x + 1; }", "p[0] = d(p[1]);", "__host__ "),
    Offence(
        "device function template",
        "template <class T> @__device__ T d(T x) { return x; }",
        "p[0] = d(p[1]);",
        "__host__ ",
    ),
    Offence(
        "device method",
        "struct A { int v; @__device__ int get() const { return v; } };",
        "A a{p[1]}; p[0] = a.get();",
        "__host__ ",
    ),
    Offence(
        "device constructor",
        "struct A { int v; @__device__ A(int x) : v(x) {} };",
        "A a(p[1]); p[0] = a.v;",
        "__host__ ",
    ),
    Offence(
        "device operator",
        "struct A { int v; };\n@__device__ A operator*(A a, A b) { return {a.v * b.v}; }",
        "A a{p[1]}; p[0] = (a * a).v;",
        "__host__ ",
    ),
    Offence("barrier", "@", "__syncthreads();", legal_use="cudaDeviceSynchronize();"),
    Offence("warp barrier", "@", "__syncwarp();", legal_use="p[0] = warpSize;"),
    Offence("atomic operation", "@", "atomicAdd(p, 1);", legal_use="p[0] += 1;"),
    Offence("shuffle", "@", "p[0] = __shfl_down_sync(~0u, p[1], 1);", legal_use="p[0] = make_int2(1, 2).x;"),
    Offence("vote", "@", "p[0] = __ballot_sync(~0u, p[1]);", legal_use="p[0] = max(p[1], p[2]);"),
    Offence("cached load", "@", "p[0] = __ldg(p + 1);", legal_use="p[0] = abs(p[1]);"),
    Offence("integer intrinsic", "@", "p[0] = __popc(p[1]);", legal_use="p[0] = __builtin_popcount(p[1]);"),
    Offence("mathematical intrinsic", "@", "p[0] = (int)__sinf(1.5f * p[1]);", legal_use="p[0] = (int)rsqrtf(p[1]);"),
    Offence("conversion", "@", "p[0] = __float2int_rn(1.5f * p[1]);", legal_use="p[0] = (int)(1.5f * p[1]);"),
    Offence("bits", "@", "p[0] = __byte_perm(p[1], p[2], p[3]);", legal_use="p[0] = p[1] & 255;"),
    Offence("funnel shift", "@", "p[0] = __funnelshift_l(p[1], p[2], p[3]);", legal_use="p[0] = p[1] << 3;"),
    Offence("dot product of bytes", "@", "p[0] = __dp4a(p[1], p[2], p[3]);", legal_use="p[0] = p[1] * p[2];"),
    Offence("cached store", "@", "__stcg(p, p[1]);", legal_use="p[0] = p[1];"),
    Offence("match", "@", "p[0] = __match_any_sync(~0u, p[1]);", legal_use="p[0] = p[1] == p[2];"),
    Offence("counting barrier", "@", "p[0] = __syncthreads_count(p[1]);", legal_use="p[0] = p[1] != 0;"),
    Offence(
        "device method with arguments",
        "struct A { int v; @__device__ int get(int x) const { return v + x; } };",
        "A a{p[1]}; p[0] = a.get(p[2]);",
        "__host__ ",
    ),
    Offence(
        "device method of a namespace's class",
        "namespace inner { struct A { int v; @__device__ int get(int x) const { return v + x; } }; }",
        "inner::A a{p[1]}; p[0] = a.get(p[2]);",
        "__host__ ",
    ),
    Offence("fence", "@", "__threadfence();", legal_use="p[0] = p[1];"),
    Offence(
        "kernel without a configuration",
        "__global__ void k(int* p) { p[0] = 1; }",
        "k(p);",
        legal_use="k<<<1, 1>>>(p);",
    ),
    Offence("launch of a host function", "@void k(int* p) { p[0] = 1; }", "k<<<1, 1>>>(p);", "__global__ "),
    Offence("launch of a device function", "@void k(int* p) { p[0] = 1; }", "k<<<1, 1>>>(p);", mark="__global__ "),
    Offence(
        "shared variable in host code", "@", "__shared__ int s[4]; s[0] = p[0];", legal_use="int s[4]; s[0] = p[0];"
    ),
]

ALONE = {
    f"host: {name}/template"
    for name in ("integer intrinsic", "mathematical intrinsic", "conversion", "bits", "counting barrier")
}
"""nvcc leaves these to the compiler of the host, does not declare them to it, and its errors name lines of others."""


def generated() -> list[tuple[str, str]]:
    """Pairs of a class and a program, an illegal one before the legal one that looks like it."""
    programs: list[tuple[str, str]] = []
    for side, places, offences in (
        ("device", _IN_DEVICE_CODE, _DEVICE_OFFENCES),
        ("host", _IN_HOST_CODE, _HOST_OFFENCES),
    ):
        for offence in offences:
            for place, frame in places.items():
                for before, use in (offence.illegal(), offence.legal()):
                    if offence.name == "launch of a device function" and "__global__" not in before:
                        before = "__device__ " + before
                    programs.append(
                        (f"{side}: {offence.name}/{place}", f"{before}\n{frame.format(use=use)}\n".lstrip())
                    )
    return programs
