# cython: language_level=3, freethreading_compatible=True
"""What the processor can do, asked before the kernel is imported."""

cdef extern from *:
    """
    /* Family 17h, the first two generations of Zen, has BMI2 but takes hundreds of cycles for its
       deposit of bits, with which playouts choose a hex. */
    #if defined(__x86_64__) && defined(__GNUC__)
    static int kb_has_avx2(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
            && __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam17h");
    }
    #else
    static int kb_has_avx2(void) { return 0; }
    #endif
    """
    bint kb_has_avx2()


def has_avx2():
    """Tell whether AVX2 and BMI2 are there and quick."""
    return kb_has_avx2()
