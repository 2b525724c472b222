/* Sets of hexes as 512 bits, and rows as 32: what plain C is too slow for.

   Every function comes in portable C. Where the compiler knows vectors (GCC, Clang) or the build
   has AVX2 and BMI2 (see setup.py), a faster version replaces it. All versions return the same. */

#ifndef KBAI_BITS_H
#define KBAI_BITS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif
#if defined(__AVX2__) || defined(__BMI2__)
#include <immintrin.h>
#endif

/* Whether a board is one register, see setup.py. Fewer instructions, and the choice of a byte of a
   whole board in one: an informed playout is a fourteenth faster. */
#if defined(__GNUC__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__) \
    && defined(__AVX512VBMI__) && defined(__AVX512VPOPCNTDQ__)
#define KB_512 1
#else
#define KB_512 0
#endif

/* Whether the kernel checks itself (check_preferences). kb_check is an assert that leaves no
   warnings about unused variables and functions behind. */
#if defined(NDEBUG)
#define KB_CHECKS 0
#define kb_check(condition) ((void)(condition))
#else
#define KB_CHECKS 1
#define kb_check(condition) assert(condition)
#endif

/* Marks a function whose constant arguments must become constants inside it. */
#if defined(__GNUC__)
#define KB_SPECIALIZED __attribute__((always_inline))
#else
#define KB_SPECIALIZED
#endif

/* --- one word --------------------------------------------------------------------------------- */

#if defined(_MSC_VER)
static __inline int kb_count(uint64_t x) { return (int)__popcnt64(x); }
static __inline int kb_lowest(uint64_t x) {
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
}
static __inline int kb_highest(uint32_t x) {
    unsigned long i;
    _BitScanReverse(&i, x);
    return (int)i;
}
#else
static inline int kb_count(uint64_t x) { return __builtin_popcountll(x); }
static inline int kb_lowest(uint64_t x) { return __builtin_ctzll(x); }
static inline int kb_highest(uint32_t x) { return 31 ^ __builtin_clz(x); }
#endif

/* The k-th set bit of x, counted from 0, alone in its word. */
#if defined(__BMI2__)
static inline uint64_t kb_select(uint64_t x, int k) { return _pdep_u64((uint64_t)1 << k, x); }
#else
static inline uint64_t kb_select(uint64_t x, int k) {
    /* Most choices are between a few hexes. Clearing bits one by one is the fastest for those. */
    if (k >= 8) {
        /* Count the bits of each byte and sum upwards, find the byte, then clear up to 7 bits. */
        int shift;
        uint64_t s = x - ((x >> 1) & 0x5555555555555555u);
        s = (s & 0x3333333333333333u) + ((s >> 2) & 0x3333333333333333u);
        s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u;
        /* A byte of the difference keeps its top bit where the sum is above k. */
        shift = kb_lowest(((s | 0x8080808080808080u) - (uint64_t)(k + 1) * 0x0101010101010101u)
                          & 0x8080808080808080u) & ~7;
        k -= (int)((s << 8) >> shift) & 0xff;
        x = x >> shift << shift;
    }
    for (; k > 0; k--) x &= x - 1;
    return x & (~x + 1);
}
#endif

/* y, or x if y is 0. A processor cannot foresee which: a wrong guess costs as much as 15 additions,
   so there must be no jump. */
static inline uint64_t kb_or_else(uint64_t y, uint64_t x) {
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("test %0, %0\n\tcmovz %1, %0" : "+r"(y) : "r"(x) : "cc");
    return y;
#else
    return y ? y : x;
#endif
}
/* What x and y share, or x if that is nothing. The AND itself tells, in two cycles instead of
   three, which counts where one waits for the other. */
static inline uint64_t kb_narrowed(uint64_t x, uint64_t y) {
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("and %1, %0\n\tcmovz %1, %0" : "+&r"(y) : "r"(x) : "cc");
    return y;
#else
    return kb_or_else(x & y, x);
#endif
}
/* The bits of x, from the lowest on, at the places of the bits of mask. */
static inline uint64_t kb_deposit(uint64_t x, uint64_t mask) {
#if defined(__BMI2__)
    return _pdep_u64(x, mask);
#else
    uint64_t found = 0;
    for (; mask; mask &= mask - 1, x >>= 1) found |= mask & (~mask + 1) & (~(x & 1) + 1);
    return found;
#endif
}
/* Every other bit of x: the 1st, the 3rd, and so on. */
static inline uint32_t kb_every_other(uint32_t x) {
#if defined(__BMI2__)
    return _pext_u32(x, 0x55555555u);
#else
    x &= 0x55555555u;
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    return (x | x >> 8) & 0x0000ffffu;
#endif
}
/* Four bits each: as many bits set, from the lowest on, as the number says, which is 3 at most. */
static inline uint64_t kb_unary(uint64_t numbers) {
    uint64_t twos = numbers >> 1 & 0x1111111111111111u;
    return numbers | twos | (numbers & twos) << 2;
}
/* Four bits each: the number of bits set. */
static inline uint64_t kb_from_unary(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    return (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
}
/* Of up to eight numbers, a byte each, the sums of the first, of the first two, and so on. No sum
   may be above 127 in what follows. */
static inline uint64_t kb_sums(uint64_t numbers) { return numbers * 0x0101010101010101u; }
/* How many of these sums are at most k: in which of eight heaps the k-th thing is. */
static inline int kb_heap(uint64_t sums, int k) {
    uint64_t each = (uint64_t)k * 0x0101010101010101u | 0x8080808080808080u;
    return kb_count((each - sums) & 0x8080808080808080u);
}

/* The first cache line of some memory that is not the whole of another object. */
static inline void* kb_align(void* p) {
    return (void*)(((uintptr_t)p + 63) & ~(uintptr_t)63);
}

/* --- a whole board ---------------------------------------------------------------------------- */

#if KB_512
/* Macros, as kb_low and kb_high. */
#define kb_load(x) _mm512_loadu_si512((const void*)(x))
#define kb_save(x, board) _mm512_storeu_si512((void*)(x), (board))
#endif

/* The set bits of each word of a board, a byte each. */
static inline uint64_t kb_counts(const uint64_t* x) {
#if KB_512
    __m128i counts = _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(kb_load(x)));
    return (uint64_t)_mm_cvtsi128_si64(counts);
#else
    uint64_t found = 0;
    int i;
    for (i = 7; i >= 0; i--) found = found << 8 | (uint64_t)kb_count(x[i]);
    return found;
#endif
}
/* The k-th set bit of a board, counted from 0, given the sums of its words. */
static inline uint32_t kb_nth(const uint64_t* x, uint64_t sums, int k) {
    int w = kb_heap(sums, k);
    k -= (int)(sums << 8 >> 8 * w & 0xff);
    return (uint32_t)(w * 64 + kb_lowest(kb_select(x[w], k)));
}
/* Narrow the hexes of one word by several sets in turn, see kb_narrow_all. */
static inline uint64_t kb_narrow_word(uint64_t x, const uint64_t* cells, const uint32_t* offsets,
                                      ptrdiff_t i, ptrdiff_t end) {
    for (; i != end; i++) x = kb_narrowed(x, cells[offsets[i]]);
    return x;
}
/* The same; each set that x shares nothing with lowers `spare` by its value. */
static inline uint64_t kb_narrow_worthy(uint64_t x, const uint64_t* cells, const uint32_t* offsets,
                                        const int* values, ptrdiff_t i, ptrdiff_t end, int* spare) {
    int left = *spare;
    for (; i != end; i++) {
        uint64_t y = x & cells[offsets[i]];
        left -= values[i] & -(y == 0);
        x = kb_or_else(y, x);
    }
    *spare = left;
    return x;
}

#if defined(__GNUC__)

/* Explicit vectors, because a compiler does not make any where two boards might overlap. Saves
   ten instructions for each placement. */
typedef uint64_t kb_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long kb_signed_four __attribute__((vector_size(32)));
typedef double kb_four_reals __attribute__((vector_size(32)));

/* Macros: as functions they cost 200 of the 40,300 instructions of an informed playout. */
#define kb_low(x) (*(const kb_four*)(x))
#define kb_high(x) (*(const kb_four*)((x) + 4))
#define kb_store(x, low, high) (*(kb_four*)(x) = (low), *(kb_four*)((x) + 4) = (high))
static inline int kb_is_empty(kb_four x) {
#if defined(__AVX2__)
    return __builtin_ia32_ptestz256((kb_signed_four)x, (kb_signed_four)x);
#else
    return !(x[0] | x[1] | x[2] | x[3]);
#endif
}

#if KB_512

static inline void kb_add(uint64_t* x, const uint64_t* y) {
    kb_save(x, _mm512_or_si512(kb_load(x), kb_load(y)));
}
static inline void kb_copy(uint64_t* x, const uint64_t* y) { kb_save(x, kb_load(y)); }
static inline void kb_drop(uint64_t* x, const uint64_t* y) {
    kb_save(x, _mm512_andnot_si512(kb_load(y), kb_load(x)));
}
static inline int kb_intersect(uint64_t* out, const uint64_t* x, const uint64_t* y) {
    __m512i both = _mm512_and_si512(kb_load(x), kb_load(y));
    kb_save(out, both);
    return _mm512_test_epi64_mask(both, both) != 0;
}
static inline int kb_intersects(const uint64_t* x, const uint64_t* y) {
    return _mm512_test_epi64_mask(kb_load(x), kb_load(y)) != 0;
}
static inline int kb_narrow(uint64_t* x, const uint64_t* y) {
    __m512i both = _mm512_and_si512(kb_load(x), kb_load(y));
    if (_mm512_test_epi64_mask(both, both) == 0) return 0;
    kb_save(x, both);
    return 1;
}
static inline int kb_narrow_all(uint64_t* x, const uint64_t* cells, const uint32_t* offsets,
                                const int* values, ptrdiff_t i, ptrdiff_t end, int spare) {
    __m512i all = kb_load(x);
    for (; i != end; i++) {
        __m512i some = kb_load(cells + offsets[i]);
        if (_mm512_test_epi64_mask(all, some) == 0) {
            spare -= values[i];
            if (spare < 0) return spare;
        } else {
            all = _mm512_and_si512(all, some);
        }
    }
    kb_save(x, all);
    return spare;
}
static inline void kb_crowd(uint64_t* once, uint64_t* twice, uint64_t* rest, const uint64_t* y) {
    __m512i more = kb_load(y), old = kb_load(once);
    __m512i crowd = _mm512_or_si512(kb_load(twice), _mm512_and_si512(old, more));
    kb_save(twice, crowd);
    kb_save(rest, _mm512_andnot_si512(crowd, _mm512_set1_epi64(-1)));
    kb_save(once, _mm512_or_si512(old, more));
}

#else  /* what these do is said here */

/* Add y to x. */
static inline void kb_add(uint64_t* x, const uint64_t* y) {
    kb_four low = kb_low(y), high = kb_high(y);
    *(kb_four*)x |= low;
    *(kb_four*)(x + 4) |= high;
}
/* Copy y to x. */
static inline void kb_copy(uint64_t* x, const uint64_t* y) { kb_store(x, kb_low(y), kb_high(y)); }
/* Remove y from x. */
static inline void kb_drop(uint64_t* x, const uint64_t* y) {
    kb_four low = kb_low(y), high = kb_high(y);
    *(kb_four*)x &= ~low;
    *(kb_four*)(x + 4) &= ~high;
}
/* Write down what x and y share. Return whether that is anything. */
static inline int kb_intersect(uint64_t* out, const uint64_t* x, const uint64_t* y) {
    kb_four low = kb_low(x) & kb_low(y), high = kb_high(x) & kb_high(y);
    kb_store(out, low, high);
    return !kb_is_empty(low | high);
}
/* Whether x and y share anything. */
static inline int kb_intersects(const uint64_t* x, const uint64_t* y) {
    return !kb_is_empty((kb_low(x) & kb_low(y)) | (kb_high(x) & kb_high(y)));
}
/* Keep of x what is also in y, or all of x if nothing is. Return whether anything is. */
static inline int kb_narrow(uint64_t* x, const uint64_t* y) {
    kb_four low = kb_low(x) & kb_low(y), high = kb_high(x) & kb_high(y);
    if (kb_is_empty(low | high)) return 0;
    kb_store(x, low, high);
    return 1;
}
/* Narrow x by several sets in turn. Each set that x shares nothing with lowers `spare` by its
   value; stop when `spare` falls below 0. The sets are numbered i to end - 1, where end is 0 or
   negative: a loop that ends at 0, and counting what is missing instead of what is there, save two
   instructions for each set. Return what is left of `spare`. */
static inline int kb_narrow_all(uint64_t* x, const uint64_t* cells, const uint32_t* offsets,
                                const int* values, ptrdiff_t i, ptrdiff_t end, int spare) {
    kb_four low = kb_low(x), high = kb_high(x);
    for (; i != end; i++) {
        kb_four l = low & kb_low(cells + offsets[i]), h = high & kb_high(cells + offsets[i]);
        if (kb_is_empty(l | h)) {
            spare -= values[i];
            if (spare < 0) return spare;
        } else {
            low = l;
            high = h;
        }
    }
    kb_store(x, low, high);
    return spare;
}
/* One more settlement has the neighbours y. `once` has the cells beside a settlement, `twice`
   those beside two or more, and `rest` all but these. */
static inline void kb_crowd(uint64_t* once, uint64_t* twice, uint64_t* rest, const uint64_t* y) {
    int i;
    for (i = 0; i < 8; i += 4) {
        kb_four more = kb_low(y + i), old = kb_low(once + i);
        kb_four crowd = kb_low(twice + i) | (old & more);
        *(kb_four*)(twice + i) = crowd;
        *(kb_four*)(rest + i) = ~crowd;
        *(kb_four*)(once + i) = old | more;
    }
}

#endif

/* The same pointer, but the compiler forgets where it comes from. Otherwise it computes the address
   again for each use. Saves some 15 instructions of a turn. */
static inline void* kb_opaque(void* p) {
    __asm__("" : "+r"(p));
    return p;
}

#else

static inline void kb_add(uint64_t* x, const uint64_t* y) {
    int i;
    for (i = 0; i < 8; i++) x[i] |= y[i];
}
static inline void kb_copy(uint64_t* x, const uint64_t* y) { memcpy(x, y, 64); }
static inline void kb_drop(uint64_t* x, const uint64_t* y) {
    int i;
    for (i = 0; i < 8; i++) x[i] &= ~y[i];
}
static inline int kb_intersect(uint64_t* out, const uint64_t* x, const uint64_t* y) {
    uint64_t found = 0;
    int i;
    for (i = 0; i < 8; i++) found |= out[i] = x[i] & y[i];
    return found != 0;
}
static inline int kb_intersects(const uint64_t* x, const uint64_t* y) {
    uint64_t out[8];
    return kb_intersect(out, x, y);
}
static inline int kb_narrow(uint64_t* x, const uint64_t* y) {
    uint64_t out[8];
    if (!kb_intersect(out, x, y)) return 0;
    kb_copy(x, out);
    return 1;
}
static inline int kb_narrow_all(uint64_t* x, const uint64_t* cells, const uint32_t* offsets,
                                const int* values, ptrdiff_t i, ptrdiff_t end, int spare) {
    for (; i != end && spare >= 0; i++)
        if (!kb_narrow(x, cells + offsets[i])) spare -= values[i];
    return spare;
}
static inline void kb_crowd(uint64_t* once, uint64_t* twice, uint64_t* rest, const uint64_t* y) {
    int i;
    for (i = 0; i < 8; i++) {
        twice[i] |= once[i] & y[i];
        rest[i] = ~twice[i];
        once[i] |= y[i];
    }
}
static inline void* kb_opaque(void* p) { return p; }

#endif

/* Set some bits of a word of a board, or clear them. A vector that is loaded right after a part of
   it was stored waits until that is in the cache, so these load and store vectors, too. */
#if KB_512
static inline __m512i kb_in_lane(size_t word, uint64_t bits) {
    return _mm512_maskz_set1_epi64((__mmask8)(1u << word), (long long)bits);
}
static inline void kb_set(uint64_t* x, size_t word, uint64_t bits) {
    kb_save(x, _mm512_or_si512(kb_load(x), kb_in_lane(word, bits)));
}
static inline void kb_clear(uint64_t* x, size_t word, uint64_t bits) {
    kb_save(x, _mm512_andnot_si512(kb_in_lane(word, bits), kb_load(x)));
}
#elif defined(__GNUC__) && defined(__AVX2__)
static const uint64_t KB_LANE[15] = {0, 0, 0, 0, 0, 0, 0, ~(uint64_t)0, 0, 0, 0, 0, 0, 0, 0};
static inline kb_four kb_in_lane(size_t word, uint64_t bits) {
    return (kb_four){bits, bits, bits, bits} & kb_low(KB_LANE + 7 - (word & 3));
}
static inline void kb_set(uint64_t* x, size_t word, uint64_t bits) {
    *(kb_four*)(x + (word & 4)) |= kb_in_lane(word, bits);
}
static inline void kb_clear(uint64_t* x, size_t word, uint64_t bits) {
    *(kb_four*)(x + (word & 4)) &= ~kb_in_lane(word, bits);
}
#else
static inline void kb_set(uint64_t* x, size_t word, uint64_t bits) { x[word] |= bits; }
static inline void kb_clear(uint64_t* x, size_t word, uint64_t bits) { x[word] &= ~bits; }
#endif
/* Write down a board with one word that is not 0. */
static inline void kb_put(uint64_t* x, size_t word, uint64_t bits) {
#if KB_512
    kb_save(x, kb_in_lane(word, bits));
#elif defined(__GNUC__) && defined(__AVX2__)
    kb_four low = kb_in_lane(word, bits), none = {0, 0, 0, 0};
    *(kb_four*)(x + (word & 4)) = low;
    *(kb_four*)(x + (~word & 4)) = none;
#else
    memset(x, 0, 64);
    x[word] = bits;
#endif
}
/* Clear some neighbours of a cell. `sides` are bits of its window (see kb_window), for which
   side_at has the directions. A neighbour off the board is a bit that nobody looks at. With AVX2
   all six are looked at, wanted or not: nobody can foresee how many are. */
static inline void kb_clear_sides(uint64_t* x, const uint16_t* neighbours, const uint8_t* side_at,
                                  uint64_t sides) {
#if KB_512
    const __m256i at =
        _mm256_setr_epi32(1 << 20, 1 << 18, 1 << 12, 1 << 11, 1 << 27, 1 << 26, 0, 0);
    const __m512i first = _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448);
    const __m512i one = _mm512_set1_epi64(1);
    __m512i found = _mm512_setzero_si512();
    /* As below, in words of 64 bits. */
    __m512i bits = _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i*)neighbours));
    __mmask8 unwanted = _mm256_testn_epi32_mask(_mm256_set1_epi32((int)sides), at);
    int i;
    (void)side_at;
    bits = _mm512_mask_set1_epi64(bits, unwanted, -1);
#pragma GCC unroll 6
    for (i = 0; i < 6; i++) {
        __m512i shift = _mm512_permutexvar_epi64(_mm512_set1_epi64(i), bits);
        shift = _mm512_sub_epi64(shift, first);
        found = _mm512_or_si512(found, _mm512_sllv_epi64(one, shift));
    }
    kb_save(x, _mm512_andnot_si512(found, kb_load(x)));
#elif defined(__GNUC__) && defined(__AVX2__)
    const __m256i at =
        _mm256_setr_epi32(1 << 20, 1 << 18, 1 << 12, 1 << 11, 1 << 27, 1 << 26, 0, 0);
    const __m256i first = _mm256_setr_epi32(0, 32, 64, 96, 128, 160, 192, 224);
    const __m256i one = _mm256_set1_epi32(1);
    __m256i low = _mm256_setzero_si256(), high = low;
    /* Six numbers of bits, and two of no meaning. Those not wanted become so large that a shift by
       them leaves nothing, and so does a shift by the distance to another part of the board. */
    __m256i bits = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)neighbours));
    __m256i wanted = _mm256_and_si256(_mm256_set1_epi32((int)sides), at);
    int i;
    (void)side_at;
    bits = _mm256_or_si256(bits, _mm256_cmpeq_epi32(wanted, _mm256_setzero_si256()));
#pragma GCC unroll 6
    for (i = 0; i < 6; i++) {
        __m256i shift = _mm256_permutevar8x32_epi32(bits, _mm256_set1_epi32(i));
        shift = _mm256_sub_epi32(shift, first);
        low = _mm256_or_si256(low, _mm256_sllv_epi32(one, shift));
        shift = _mm256_sub_epi32(shift, _mm256_set1_epi32(256));
        high = _mm256_or_si256(high, _mm256_sllv_epi32(one, shift));
    }
    kb_store(x, kb_low(x) & ~(kb_four)low, kb_high(x) & ~(kb_four)high);
#else
    for (; sides; sides &= sides - 1) {
        unsigned bit = neighbours[side_at[kb_lowest(sides)]];
        x[bit >> 6] &= ~((uint64_t)1 << (bit & 63));
    }
#endif
}

/* --- hexes in lanes ----------------------------------------------------------------------------

   The targets of a piece that jumps are six hexes at most, but all over the board. So up to eight
   hexes become a lane: a word with a byte for each, in which one bit says whether it is there. A
   table has three words of this kind for each piece, side by side in the cache: in which of the 64
   bytes of a board each hex is, in which bit of that byte, and which terrains are beside it. Four
   lanes make a vector, which is narrowed without jumps in the code: nobody can foresee which sets
   they meet. */

#define KB_LANES 4
#if defined(__GNUC__) && defined(__AVX2__)
#define KB_HAS_LANES 1

/* The same word of four entries of a table of lanes. */
static inline __m256i kb_four_words(const uint64_t (*lanes)[4], const uint32_t* i, int word) {
    return _mm256_set_epi64x((long long)lanes[i[3]][word], (long long)lanes[i[2]][word],
                             (long long)lanes[i[1]][word], (long long)lanes[i[0]][word]);
}
#if KB_512
typedef __m256i kb_places;
static inline kb_places kb_find_places(__m256i at) { return at; }
static inline __m256i kb_look_up(const uint64_t* board, const kb_places* places) {
    __m256i low = _mm256_loadu_si256((const __m256i*)board);
    __m256i high = _mm256_loadu_si256((const __m256i*)(board + 4));
    return _mm256_permutex2var_epi8(low, *places, high);
}
#else
/* Where each of 32 hexes is in each quarter of a board, as a table of 16 bytes is asked. */
typedef struct {
    __m256i quarter[4];
} kb_places;

static inline kb_places kb_find_places(__m256i at) {
    kb_places found;
    int i;
#pragma GCC unroll 4
    for (i = 0; i < 4; i++)  /* a byte of another quarter becomes 128 or more, and finds 0 */
        found.quarter[i] = _mm256_adds_epu8(_mm256_xor_si256(at, _mm256_set1_epi8((char)(16 * i))),
                                            _mm256_set1_epi8(0x70));
    return found;
}
/* For each hex the byte of a board that it is in. */
static inline __m256i kb_look_up(const uint64_t* board, const kb_places* places) {
    __m256i found[4];
    int i;
#pragma GCC unroll 4
    for (i = 0; i < 4; i++)
        found[i] = _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i*)(board + 2 * i))),
            places->quarter[i]);
    return _mm256_or_si256(_mm256_or_si256(found[0], found[1]),
                           _mm256_or_si256(found[2], found[3]));
}
#endif
/* Keep of each lane what it shares with y, or all of it if that is nothing; where it is nothing,
   `missed` is set. */
static inline __m256i kb_narrow_lanes(__m256i x, __m256i y, __m256i* missed) {
    y = _mm256_and_si256(x, y);
    *missed = _mm256_cmpeq_epi64(y, _mm256_setzero_si256());
    return _mm256_blendv_epi8(y, x, *missed);
}
/* The free hexes to which four pieces can jump, narrowed like a board by kb_narrow_all: from i to
   `rest`, then to those away from some terrains, then from `rest` on. Write down the lanes, and the
   value of the sets met by each. */
static inline void kb_narrow_jumps(uint64_t* lanes, int* values_met, const uint32_t* pieces,
                                   const uint64_t (*table)[4], const uint64_t* free_cells,
                                   const uint64_t* cells, const uint32_t* offsets,
                                   const int* values, ptrdiff_t i, ptrdiff_t rest,
                                   unsigned terrains) {
    const __m256i none = _mm256_setzero_si256();
    kb_places places = kb_find_places(kb_four_words(table, pieces, 0));
    __m256i ones = kb_four_words(table, pieces, 1);
    __m256i x = _mm256_and_si256(ones, kb_look_up(free_cells, &places));
    __m256i met = none, missed;
    for (; i != rest; i++) {
        x = kb_narrow_lanes(x, kb_look_up(cells + offsets[i], &places), &missed);
        met = _mm256_add_epi32(met, _mm256_andnot_si256(missed, _mm256_set1_epi32(values[i])));
    }
    if (terrains) {
        __m256i sides = kb_four_words(table, pieces, 2);
        __m256i away = _mm256_and_si256(sides, _mm256_set1_epi8((char)terrains));
        x = kb_narrow_lanes(x, _mm256_cmpeq_epi8(away, none), &missed);
        for (; terrains; terrains &= terrains - 1) {
            away = _mm256_and_si256(sides, _mm256_set1_epi8((char)(terrains & (~terrains + 1))));
            x = kb_narrow_lanes(x, _mm256_cmpeq_epi8(away, none), &missed);
        }
    }
    for (; i != 0; i++) {
        x = kb_narrow_lanes(x, kb_look_up(cells + offsets[i], &places), &missed);
        met = _mm256_add_epi32(met, _mm256_andnot_si256(missed, _mm256_set1_epi32(values[i])));
    }
    _mm256_storeu_si256((__m256i*)lanes, x);
    _mm_storeu_si128((__m128i*)values_met,
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(
                         met, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6))));
}
#else
#define KB_HAS_LANES 0  /* so nobody calls this */
static inline void kb_narrow_jumps(uint64_t* lanes, int* values_met, const uint32_t* pieces,
                                   const uint64_t (*table)[4], const uint64_t* free_cells,
                                   const uint64_t* cells, const uint32_t* offsets,
                                   const int* values, ptrdiff_t i, ptrdiff_t rest,
                                   unsigned terrains) {
    (void)lanes, (void)values_met, (void)pieces, (void)table, (void)free_cells, (void)cells;
    (void)offsets, (void)values, (void)i, (void)rest, (void)terrains;
}
#endif

/* The words of a board that are not 0, as bits; without AVX2 simply all of them. */
static inline uint32_t kb_filled_words(const uint64_t* x) {
#if KB_512
    return _mm512_test_epi64_mask(kb_load(x), kb_load(x));
#elif defined(__GNUC__) && defined(__AVX2__)
    return 255 ^ ((uint32_t)__builtin_ia32_movmskpd256((kb_four_reals)(kb_low(x) == 0))
                  | (uint32_t)__builtin_ia32_movmskpd256((kb_four_reals)(kb_high(x) == 0)) << 4);
#else
    (void)x;
    return 255;
#endif
}
/* Of the first five words those in which x, y and z share nothing, as bits. */
static inline uint32_t kb_disjoint_words(const uint64_t* x, const uint64_t* y, const uint64_t* z) {
#if KB_512
    return 31 & _mm512_testn_epi64_mask(_mm512_and_si512(kb_load(x), kb_load(y)), kb_load(z));
#elif defined(__GNUC__) && defined(__AVX2__)
    uint32_t found = (uint32_t)((x[4] & y[4] & z[4]) == 0) << 4;
    kb_four four = kb_low(x) & kb_low(y) & kb_low(z);
    return found | (uint32_t)__builtin_ia32_movmskpd256((kb_four_reals)(four == 0));
#else
    uint32_t found = (uint32_t)((x[4] & y[4] & z[4]) == 0) << 4;
    int i;
    for (i = 0; i < 4; i++) found |= (uint32_t)((x[i] & y[i] & z[i]) == 0) << i;
    return found;
#endif
}

/* --- rows and small tables -------------------------------------------------------------------- */

/* Of 32 rows those that are not empty, as bits. A third of the cost of looking at each. */
static inline uint32_t kb_filled_rows(const uint32_t* rows) {
#if KB_512
    __m512i low = kb_load(rows), high = kb_load(rows + 16);
    return _mm512_test_epi32_mask(low, low) | (uint32_t)_mm512_test_epi32_mask(high, high) << 16;
#elif defined(__GNUC__) && defined(__AVX2__)
    uint32_t found = 0;
    int i;
    typedef float kb_reals __attribute__((vector_size(32)));
    typedef uint32_t kb_eight __attribute__((vector_size(32), aligned(4), may_alias));
    for (i = 24; i >= 0; i -= 8) {
        kb_eight none = (kb_eight)(*(const kb_eight*)(rows + i) == 0);
        found = found << 8 | (uint32_t)__builtin_ia32_movmskps256((kb_reals)none);
    }
    return ~found;
#else
    uint32_t found = 0;
    int i;
    for (i = 0; i < 32; i++) found |= (uint32_t)(rows[i] != 0) << i;
    return found;
#endif
}
/* Five rows around a cell, a byte each. `rows` starts two rows above the cell, and q is the place
   of the cell in its row, from 1 to 29. The cell comes to bit 19. */
static inline uint64_t kb_window(const uint32_t* rows, int q) {
    uint64_t found = (uint8_t)(rows[4] << 2 >> (q - 1));
#if defined(__AVX2__)
    __m128i four = _mm_slli_epi32(_mm_loadu_si128((const __m128i*)rows), 2);
    four = _mm_srl_epi32(four, _mm_cvtsi32_si128(q - 1));
    four = _mm_shuffle_epi8(four, _mm_set1_epi32(0x0C080400));
    return found << 32 | (uint32_t)_mm_cvtsi128_si32(four);
#else
    int i;
    for (i = 3; i >= 0; i--) found = found << 8 | (uint8_t)(rows[i] << 2 >> (q - 1));
    return found;
#endif
}
/* Of four numbers those from low to high, as bits. Compared all at once, which saves ten
   instructions of a turn with Lords or Farmers. */
static inline uint32_t kb_between(const int* x, int low, int high) {
#if defined(__GNUC__) && defined(__SSE2__)
    typedef float kb_reals __attribute__((vector_size(16)));
    typedef int kb_ints __attribute__((vector_size(16), aligned(4), may_alias));
    kb_ints four = *(const kb_ints*)x;
    return 15 ^ (uint32_t)__builtin_ia32_movmskps((kb_reals)((four < low) | (four > high)));
#else
    uint32_t found = 0;
    int i;
    for (i = 0; i < 4; i++) found |= (uint32_t)(x[i] >= low && x[i] <= high) << i;
    return found;
#endif
}

#endif
