// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "heddle/base/index.hpp"

namespace heddle::kernels::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One query of one head.
struct Query {
  Index b, h, i;
};

template <class T>
T& at(HeadRows<T> rows, const AttentionShape& s, Index length, const Query& q, Index t, Index e) {
  return rows.data[(q.b * length + t) * rows.stride + q.h * s.d + e];
}

/// scores_j = scale · Σ_e q_ie k_je + bias, or −inf where the query does not see the key.
template <class Args>
std::vector<double> scores_of(const Args& args, const Query& query) {
  const AttentionShape& s = args.shape;
  std::vector<double> scores(to_size(s.keys), -kInfinity);
  for (Index j = 0; j < s.keys; ++j) {
    if (!s.sees(query.b, query.i, j)) continue;
    double sum = 0;
    for (Index e = 0; e < s.d; ++e)
      sum += at(args.q, s, s.queries, query, query.i, e) * at(args.k, s, s.keys, query, j, e);
    const Index distance = query.i + s.offset - j;
    const double bias = args.bias.table ? args.bias.at(query.h, distance) : 0;
    scores[to_size(j)] = s.scale * sum + bias;
  }
  return scores;
}

template <class Body>
void for_each_query(const AttentionShape& s, Body body) {
  for (Index b = 0; b < s.batch; ++b)
    for (Index h = 0; h < s.heads; ++h)
      for (Index i = 0; i < s.queries; ++i) body(Query{.b = b, .h = h, .i = i});
}

void forward_query(const AttentionForward<double>& args, const Query& query) {
  const AttentionShape& s = args.shape;
  const std::vector<double> scores = scores_of(args, query);
  const double top = *std::ranges::max_element(scores);
  double sum = 0;
  for (const double score : scores) sum += score == -kInfinity ? 0 : std::exp(score - top);
  const double lse = sum > 0 ? top + std::log(sum) : -kInfinity;
  for (Index e = 0; e < s.d; ++e) {
    double z = 0;
    for (Index j = 0; j < s.keys; ++j)
      if (scores[to_size(j)] != -kInfinity)
        z += std::exp(scores[to_size(j)] - lse) * at(args.v, s, s.keys, query, j, e);
    at(args.z, s, s.queries, query, query.i, e) = z;
  }
  if (args.lse) args.lse[(query.b * s.heads + query.h) * s.queries + query.i] = lse;
}

/// Adds one query's share to dk and dv, and writes its dq:
///   dv_j += P_j dz;  dS_j = scale · P_j (dz·v_j − dz·z);  dq = Σ_j dS_j k_j;  dk_j += dS_j q;
///   dbias of the distance += dS_j / scale.
void backward_query(const AttentionBackward<double>& args, const Query& query) {
  const AttentionShape& s = args.shape;
  const Index i = query.i;
  const std::vector<double> scores = scores_of(args, query);
  const double lse = args.lse[(query.b * s.heads + query.h) * s.queries + i];
  double dz_z = 0;
  for (Index e = 0; e < s.d; ++e) {
    dz_z += at(args.dz, s, s.queries, query, i, e) * at(args.z, s, s.queries, query, i, e);
    at(args.dq, s, s.queries, query, i, e) = 0;
  }
  for (Index j = 0; j < s.keys; ++j) {
    if (scores[to_size(j)] == -kInfinity) continue;
    const double p = std::exp(scores[to_size(j)] - lse);
    double dp = 0;
    for (Index e = 0; e < s.d; ++e)
      dp += at(args.dz, s, s.queries, query, i, e) * at(args.v, s, s.keys, query, j, e);
    const double ds = s.scale * p * (dp - dz_z);
    if (args.dbias)
      DistanceBias<double>{args.dbias, args.bias.span}.at(query.h, i + s.offset - j) +=
          p * (dp - dz_z);
    for (Index e = 0; e < s.d; ++e) {
      at(args.dv, s, s.keys, query, j, e) += p * at(args.dz, s, s.queries, query, i, e);
      at(args.dq, s, s.queries, query, i, e) += ds * at(args.k, s, s.keys, query, j, e);
      at(args.dk, s, s.keys, query, j, e) += ds * at(args.q, s, s.queries, query, i, e);
    }
  }
}

}  // namespace

void attention_forward(const AttentionForward<double>& args) {
  for_each_query(args.shape, [&](const Query& query) { forward_query(args, query); });
}

void attention_backward(const AttentionBackward<double>& args) {
  const AttentionShape& s = args.shape;
  if (args.dbias) std::fill_n(args.dbias, s.heads * (2 * args.bias.span - 1), 0.0);
  for (Index b = 0; b < s.batch; ++b)
    for (Index h = 0; h < s.heads; ++h)
      for (Index j = 0; j < s.keys; ++j)
        for (Index e = 0; e < s.d; ++e) {
          at(args.dk, s, s.keys, {.b = b, .h = h, .i = 0}, j, e) = 0;
          at(args.dv, s, s.keys, {.b = b, .h = h, .i = 0}, j, e) = 0;
        }
  for_each_query(s, [&](const Query& query) { backward_query(args, query); });
}

}  // namespace heddle::kernels::reference
