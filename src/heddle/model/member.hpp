// A member: one trained (or untrained) model with its settings, as a run's folder holds it.
#pragma once

#include <memory>
#include <string>

#include "heddle/config/config.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/model/classifier/classifier.hpp"
#include "heddle/model/families.hpp"
#include "heddle/model/input.hpp"
#include "heddle/model/seq2seq/seq2seq.hpp"
#include "heddle/nn/weights.hpp"

namespace heddle {

struct Member {
  Config config;
  std::unique_ptr<Model> model;
  Weights weights;  ///< packed, ready to run
  // Of the file that the weights were read from; empty where they were not:
  Metadata metadata = {};
  std::string weights_hash = {};  ///< its checksum

  /// The model as what it is; Error if it is the other kind.
  const Seq2Seq& seq2seq() const;
  const Classifier& classifier() const;
};

/// The same as build_model() for tasks that answer with a sequence, and for those that answer with
/// a label.
std::unique_ptr<Seq2Seq> build_seq2seq(const Config& config);
std::unique_ptr<Classifier> build_classifier(const Config& config);

/// Questions first … first + count − 1 as the member reads them when it is asked.
EncodedQuestions encoded(const Member& member, const Questions& list, Index first, Index count);
EncodedQuestions encoded(const Member& member, const Questions& list);

/// A member with its weights drawn from the seed.
Member make_member(const Config& config);

/// Reads RUN/config.json and RUN/<file>; FileError, one line, for whatever is wrong with them: also
/// for settings that are not those which the weights were made with.
Member load_member(const std::string& run, const std::string& file = "model.safetensors",
                   Finite finite = Finite::required);
/// Reads and validates RUN/config.json.
Config load_config(const std::string& run);

}  // namespace heddle
