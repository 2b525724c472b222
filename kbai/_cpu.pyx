# cython: language_level=3, freethreading_compatible=True
"""Asks what the processor can do, before the kernel is imported."""

cdef extern from *:
    """
    /* Family 17h (the first two generations of Zen) has BMI2, but its pdep, with which playouts
       choose a hex, takes hundreds of cycles. */
    #if defined(__x86_64__) && defined(__GNUC__)
    static int kb_has_avx2(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
            && __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam17h");
    }
    static int kb_has_avx512(void) {
        return kb_has_avx2() && __builtin_cpu_supports("avx512f")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi")
            && __builtin_cpu_supports("avx512vpopcntdq");
    }
    #else
    static int kb_has_avx2(void) { return 0; }
    static int kb_has_avx512(void) { return 0; }
    #endif
    """
    bint kb_has_avx2()
    bint kb_has_avx512()


def has_avx2():
    """Return whether the processor has AVX2 and BMI2, and they are fast."""
    return kb_has_avx2()


def has_avx512():
    """Return whether it also has what a board in one register needs."""
    return kb_has_avx512()
