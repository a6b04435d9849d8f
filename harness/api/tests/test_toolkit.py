"""Names of functions in the text of a toolkit's headers."""

from api.toolkit import functions_of


def test_a_call_of_the_runtime_is_named_by_what_stands_before_its_parameters() -> None:
    text = """
    extern __host__ __cudart_builtin__ cudaError_t CUDARTAPI cudaFree(void *devPtr);
    template<class T>
    static __inline__ __host__ cudaError_t CUDARTAPI cudaMalloc(T **p, size_t s) { return ::cudaMalloc((void**)p, s); }
    """
    assert functions_of(text) == {"cudaFree", "cudaMalloc"}


def test_intrinsics_are_named_behind_the_macros_of_their_declarations() -> None:
    text = """
    __DEVICE_FUNCTIONS_DECL__ __device_builtin__ unsigned int __vadd2(unsigned int a, unsigned int b);
    extern __device__ __device_builtin__ __cudart_builtin__ __attribute__((pure)) float rsqrtf(float x);
    __CUDA_FP16_DECL__ __half __hadd(const __half a, const __half b);
    """
    assert functions_of(text) == {"__vadd2", "rsqrtf", "__hadd"}


def test_comments_directives_and_what_is_the_headers_own_declare_nothing() -> None:
    text = """
    /* __device__ int in_a_comment(int); */ // __device__ int nor_here(int);
    #define MACRO(x) __device__ int by_macro(x);
    __DEVICE_FUNCTIONS_DECL__ int __internal_helper(int);
    static __device__ double _Pow_int(double, int);
    int of_the_host(int);
    typedef __device__ int (*pointer)(int);
    """
    assert functions_of(text) == set()
