// The loops of vector.h, included by one file for each level of CPU, in a namespace of the level's own. Nothing here may call an inline
// function of another header: the linker keeps one copy of those, which might be that of a level this CPU lacks.

namespace executor::MESHWRIGHT_LEVEL {
namespace {

using core::Function;
using core::Reduction;
using Int = std::int64_t;

#define MESHWRIGHT_INLINE inline __attribute__((always_inline))

// --- functions of one number, without branches, so that loops over them become vector code ---

MESHWRIGHT_INLINE float absF(float x) { return __builtin_fabsf(x); }
MESHWRIGHT_INLINE float bits(std::uint32_t x) { return __builtin_bit_cast(float, x); }
MESHWRIGHT_INLINE std::uint32_t word(float x) { return __builtin_bit_cast(std::uint32_t, x); }

// 2^n for n in -252 .. 254, in two steps, so that results near both ends of the range come out right.
MESHWRIGHT_INLINE float scaled(float x, std::int32_t n) {
  const std::int32_t half = n >> 1;
  return x * bits(static_cast<std::uint32_t>(half + 127) << 23) * bits(static_cast<std::uint32_t>(n - half + 127) << 23);
}

MESHWRIGHT_INLINE float expF(float x) {
  x = x > 89.0f ? 89.0f : x;  // a NaN stays one
  x = x < -104.0f ? -104.0f : x;
  const float shift = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
  const float whole = x * 1.44269504f + shift;
  const float n = whole - shift;
  float r = x - n * 0.693359375f;
  r = r + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  const float result = scaled(p, static_cast<std::int32_t>(word(whole) - word(shift)));
  return x == x ? result : x;
}

MESHWRIGHT_INLINE float logF(float x) {
  const bool tiny = x < 1.17549435e-38f;
  const float y = tiny ? x * 8388608.0f : x;
  // y = m * 2^e, m in [sqrt(1/2), sqrt(2))
  const std::uint32_t b = word(y) - 0x3f3504f3u;
  const float e = static_cast<float>(static_cast<std::int32_t>(b) >> 23) - (tiny ? 23.0f : 0.0f);
  const float m = bits((b & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  const float z = m * m;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  float r = p * m * z - 2.12194440e-4f * e - 0.5f * z;
  r = r + m + 0.693359375f * e;
  r = x == __builtin_inff() ? x : r;
  r = x == 0.0f ? -__builtin_inff() : r;
  return x < 0.0f || x != x ? __builtin_nanf("") : r;
}

MESHWRIGHT_INLINE float tanhF(float x) {
  const float a = absF(x), s = x * x;
  float p = -5.70498872745e-3f;
  p = p * s + 2.06390887954e-2f;
  p = p * s - 5.37397155531e-2f;
  p = p * s + 1.33314422036e-1f;
  p = p * s - 3.33332819422e-1f;
  const float small = p * s * x + x;
  const float large = __builtin_copysignf(1.0f - 2.0f / (expF(2.0f * a) + 1.0f), x);
  return a < 0.625f ? small : large;
}

MESHWRIGHT_INLINE float erfF(float x) {
  const float t = absF(x), s = x * x;
  float r = -1.72853470e-5f * t + 3.83197126e-4f;
  const float u = -3.88396438e-3f * t + 2.42546219e-2f;
  r = r * s + u;
  r = r * t - 1.06777877e-1f;
  r = r * t - 6.34846687e-1f;
  r = r * t - 1.28717512e-1f;
  r = r * t - t;
  const float large = __builtin_copysignf(1.0f - expF(r), x);
  float p = -5.96761703e-4f;
  p = p * s + 4.99119423e-3f;
  p = p * s - 2.67681349e-2f;
  p = p * s + 1.12819925e-1f;
  p = p * s - 3.76125336e-1f;
  p = p * s + 1.28379166e-1f;
  const float small = p * x + x;
  return t > 0.927734375f ? (t > 4.0f ? __builtin_copysignf(1.0f, x) : large) : (x == x ? small : x);
}

MESHWRIGHT_INLINE float sigmoidF(float x) { return 1.0f / (1.0f + expF(-x)); }

struct Identity { static MESHWRIGHT_INLINE float of(float x) { return x; } };
struct Negate { static MESHWRIGHT_INLINE float of(float x) { return -x; } };
struct Abs { static MESHWRIGHT_INLINE float of(float x) { return absF(x); } };
struct Exp { static MESHWRIGHT_INLINE float of(float x) { return expF(x); } };
struct Log { static MESHWRIGHT_INLINE float of(float x) { return logF(x); } };
struct Sqrt { static MESHWRIGHT_INLINE float of(float x) { return __builtin_sqrtf(x); } };
struct Rsqrt { static MESHWRIGHT_INLINE float of(float x) { return 1.0f / __builtin_sqrtf(x); } };
struct Reciprocal { static MESHWRIGHT_INLINE float of(float x) { return 1.0f / x; } };
struct Square { static MESHWRIGHT_INLINE float of(float x) { return x * x; } };
struct Tanh { static MESHWRIGHT_INLINE float of(float x) { return tanhF(x); } };
struct Erf { static MESHWRIGHT_INLINE float of(float x) { return erfF(x); } };
struct Sigmoid { static MESHWRIGHT_INLINE float of(float x) { return sigmoidF(x); } };
struct Relu { static MESHWRIGHT_INLINE float of(float x) { return x > 0.0f || x != x ? x : 0.0f; } };
struct Silu { static MESHWRIGHT_INLINE float of(float x) { return x * sigmoidF(x); } };
struct Gelu { static MESHWRIGHT_INLINE float of(float x) { return 0.5f * x * (1.0f + erfF(x * 0.707106781f)); } };
struct GeluTanh {
  static MESHWRIGHT_INLINE float of(float x) { return 0.5f * x * (1.0f + tanhF(0.797884561f * (x + 0.044715f * x * x * x))); }
};

template <class F>
void unary(const float* a, float* out, Int n) {
#pragma GCC ivdep
  for (Int i = 0; i < n; ++i) out[i] = F::of(a[i]);
}

VectorCode::UnaryF unaryOf(Function function) {
  switch (function) {
    case Function::identity: return unary<Identity>;
    case Function::negate: return unary<Negate>;
    case Function::abs: return unary<Abs>;
    case Function::exp: return unary<Exp>;
    case Function::log: return unary<Log>;
    case Function::sqrt: return unary<Sqrt>;
    case Function::rsqrt: return unary<Rsqrt>;
    case Function::reciprocal: return unary<Reciprocal>;
    case Function::square: return unary<Square>;
    case Function::tanh: return unary<Tanh>;
    case Function::erf: return unary<Erf>;
    case Function::sigmoid: return unary<Sigmoid>;
    case Function::relu: return unary<Relu>;
    case Function::silu: return unary<Silu>;
    case Function::gelu: return unary<Gelu>;
    case Function::geluTanh: return unary<GeluTanh>;
    default: return nullptr;
  }
}

// --- functions of two numbers ---

#define MESHWRIGHT_TWO(NAME, VALUE)                                              \
  struct NAME {                                                                  \
    template <class T>                                                           \
    static MESHWRIGHT_INLINE T of(T a, T b) { return static_cast<T>(VALUE); }    \
  };
MESHWRIGHT_TWO(Add, a + b)
MESHWRIGHT_TWO(Subtract, a - b)
MESHWRIGHT_TWO(Multiply, a* b)
MESHWRIGHT_TWO(Divide, a / b)
MESHWRIGHT_TWO(Maximum, a > b || a != a ? a : b)
MESHWRIGHT_TWO(Minimum, a < b || a != a ? a : b)
MESHWRIGHT_TWO(Less, a < b ? 1 : 0)
MESHWRIGHT_TWO(LessEqual, a <= b ? 1 : 0)
MESHWRIGHT_TWO(Greater, a > b ? 1 : 0)
MESHWRIGHT_TWO(GreaterEqual, a >= b ? 1 : 0)
MESHWRIGHT_TWO(Equal, a == b ? 1 : 0)
MESHWRIGHT_TWO(NotEqual, a != b ? 1 : 0)
MESHWRIGHT_TWO(And, a != 0 && b != 0 ? 1 : 0)
MESHWRIGHT_TWO(Or, a != 0 || b != 0 ? 1 : 0)

template <class F, class T>
void binary(const T* a, const T* b, T* out, Int n) {
#pragma GCC ivdep
  for (Int i = 0; i < n; ++i) out[i] = F::of(a[i], b[i]);
}

template <class T>
auto binaryOf(Function function) -> void (*)(const T*, const T*, T*, Int) {
  switch (function) {
    case Function::add: return binary<Add, T>;
    case Function::subtract: return binary<Subtract, T>;
    case Function::multiply: return binary<Multiply, T>;
    case Function::divide: return binary<Divide, T>;
    case Function::maximum: return binary<Maximum, T>;
    case Function::minimum: return binary<Minimum, T>;
    case Function::less: return binary<Less, T>;
    case Function::lessEqual: return binary<LessEqual, T>;
    case Function::greater: return binary<Greater, T>;
    case Function::greaterEqual: return binary<GreaterEqual, T>;
    case Function::equal: return binary<Equal, T>;
    case Function::notEqual: return binary<NotEqual, T>;
    case Function::logicalAnd: return binary<And, T>;
    case Function::logicalOr: return binary<Or, T>;
    default: return nullptr;
  }
}

template <class T>
void select(const T* condition, const T* yes, const T* no, T* out, Int n) {
#pragma GCC ivdep
  for (Int i = 0; i < n; ++i) out[i] = condition[i] != 0 ? yes[i] : no[i];
}

// --- reductions ---

template <class T>
MESHWRIGHT_INLINE T identity(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
    case Reduction::logicalOr: return 0;
    case Reduction::product:
    case Reduction::logicalAnd: return 1;
    case Reduction::max: return static_cast<T>(-__builtin_inf());
    case Reduction::min: return static_cast<T>(__builtin_inf());
  }
  return 0;
}

// Many running results at once, so that additions need not wait for each other.
template <class F, class T>
MESHWRIGHT_INLINE T reduceRow(const T* a, Int n, T start) {
  constexpr Int lanes = 32;
  T running[lanes];
  for (Int l = 0; l < lanes; ++l) running[l] = start;
  Int i = 0;
  for (; i + lanes <= n; i += lanes)
    for (Int l = 0; l < lanes; ++l) running[l] = F::of(running[l], a[i + l]);
  for (Int l = 0; i < n; ++i, ++l) running[l] = F::of(running[l], a[i]);
  for (Int width = lanes / 2; width > 0; width /= 2)
    for (Int l = 0; l < width; ++l) running[l] = F::of(running[l], running[l + width]);
  return running[0];
}

template <class F, class T>
void reduceRowsBy(const T* a, T* out, Int rows, Int columns, T start) {
  for (Int r = 0; r < rows; ++r) out[r] = reduceRow<F, T>(a + r * columns, columns, start);
}

template <class F, class T>
void reduceColumnsBy(const T* a, T* out, Int rows, Int columns, T start) {
  for (Int c = 0; c < columns; ++c) out[c] = start;
  for (Int r = 0; r < rows; ++r) {
    const T* row = a + r * columns;
#pragma GCC ivdep
    for (Int c = 0; c < columns; ++c) out[c] = F::of(out[c], row[c]);
  }
}

template <class F, class T>
void joinBy(const T* a, double* into, Int n) {
#pragma GCC ivdep
  for (Int i = 0; i < n; ++i) into[i] = F::of(into[i], static_cast<double>(a[i]));
}

template <class T>
void reduceRows(Reduction reduction, const T* a, T* out, Int rows, Int columns) {
  const T start = identity<T>(reduction);
  switch (reduction) {
    case Reduction::sum: return reduceRowsBy<Add, T>(a, out, rows, columns, start);
    case Reduction::product: return reduceRowsBy<Multiply, T>(a, out, rows, columns, start);
    case Reduction::max: return reduceRowsBy<Maximum, T>(a, out, rows, columns, start);
    case Reduction::min: return reduceRowsBy<Minimum, T>(a, out, rows, columns, start);
    case Reduction::logicalAnd: return reduceRowsBy<And, T>(a, out, rows, columns, start);
    case Reduction::logicalOr: return reduceRowsBy<Or, T>(a, out, rows, columns, start);
  }
}

template <class T>
void reduceColumns(Reduction reduction, const T* a, T* out, Int rows, Int columns) {
  const T start = identity<T>(reduction);
  switch (reduction) {
    case Reduction::sum: return reduceColumnsBy<Add, T>(a, out, rows, columns, start);
    case Reduction::product: return reduceColumnsBy<Multiply, T>(a, out, rows, columns, start);
    case Reduction::max: return reduceColumnsBy<Maximum, T>(a, out, rows, columns, start);
    case Reduction::min: return reduceColumnsBy<Minimum, T>(a, out, rows, columns, start);
    case Reduction::logicalAnd: return reduceColumnsBy<And, T>(a, out, rows, columns, start);
    case Reduction::logicalOr: return reduceColumnsBy<Or, T>(a, out, rows, columns, start);
  }
}

template <class T>
void join(Reduction reduction, const T* a, double* into, Int n) {
  switch (reduction) {
    case Reduction::sum: return joinBy<Add, T>(a, into, n);
    case Reduction::product: return joinBy<Multiply, T>(a, into, n);
    case Reduction::max: return joinBy<Maximum, T>(a, into, n);
    case Reduction::min: return joinBy<Minimum, T>(a, into, n);
    case Reduction::logicalAnd: return joinBy<And, T>(a, into, n);
    case Reduction::logicalOr: return joinBy<Or, T>(a, into, n);
  }
}

void widenAll(const float* a, double* out, Int n) {
#pragma GCC ivdep
  for (Int i = 0; i < n; ++i) out[i] = static_cast<double>(a[i]);
}

void narrowAll(const double* a, float* out, Int n) {
#pragma GCC ivdep
  for (Int i = 0; i < n; ++i) out[i] = static_cast<float>(a[i]);
}

}  // namespace

extern const VectorCode code;
const VectorCode code{.level = MESHWRIGHT_LEVEL_NAME,
                      .unaryF = unaryOf,
                      .binaryF = binaryOf<float>,
                      .binaryD = binaryOf<double>,
                      .selectF = select<float>,
                      .selectD = select<double>,
                      .reduceRowsF = reduceRows<float>,
                      .reduceRowsD = reduceRows<double>,
                      .reduceColumnsF = reduceColumns<float>,
                      .reduceColumnsD = reduceColumns<double>,
                      .joinF = join<float>,
                      .joinD = join<double>,
                      .widen = widenAll,
                      .narrow = narrowAll};

}  // namespace executor::MESHWRIGHT_LEVEL
