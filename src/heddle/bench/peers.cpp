// See peers.hpp.
#include "heddle/bench/peers.hpp"

#include <cstdlib>
#include <filesystem>
#include <set>

#include "heddle/base/check.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/process.hpp"
#include "heddle/bench/duel.hpp"
#include "heddle/bench/product_duels.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/record/json.hpp"

namespace heddle {
namespace {

constexpr double kPatience = 600;  // seconds for one answer

/// A Python that has PyTorch.
std::string find_python() {
  std::vector<std::string> candidates{"python3", "/usr/bin/python3"};
  if (const char* chosen = std::getenv("HEDDLE_PYTHON")) candidates = {chosen};
  for (const std::string& python : candidates)
    if (run_programs({{python, "-c", "import torch"}}).front() == 0) return python;
  throw FileError(fmt::format(
      "--peers needs PyTorch, and {} -c 'import torch' fails; get it with pip install torch or, on "
      "Debian, apt install python3-torch (HEDDLE_PYTHON names another Python)",
      candidates.front()));
}

/// One PyTorch program: a form of attention on a number of threads.
struct Peer {
  Peer(std::string name_of, int thread_count, const PeerOptions& peer_options,
       std::vector<std::string> words)
      : name(std::move(name_of)),
        threads(thread_count),
        options(&peer_options),
        conversation(std::move(words)) {}

  std::string name;
  int threads;
  const PeerOptions* options;
  ChildProgram conversation;

  Json ask(const std::string& line) {
    const auto reply = conversation.ask(line, kPatience);
    if (!reply && options->told) options->told({});  // who was asked to stop says so
    check<FileError>(reply.has_value(), "{} on {} threads gave no answer to '{}'", name, threads,
                     line);
    const Json json = Json::try_parse(*reply);
    check<FileError>(json.is_object() && !json.contains("error"), "{}: {}", name, *reply);
    return json;
  }
  double rate(const std::string& line) { return ask(line).at("rate").get<double>(); }
};

/// Heddle on each number of threads, and PyTorch in both forms on each.
class Arena {
 public:
  explicit Arena(const PeerOptions& options) : options_(options) {
    const std::string python = find_python();
    for (const int threads : std::set{1, options.threads}) {
      teams_.push_back(std::make_unique<Team>(threads));
      for (const auto& [form, name] :
           {std::pair{"matmul", "PyTorch as students write it"}, {"sums", "PyTorch tuned"}})
        peers_.push_back(std::make_unique<Peer>(
            name, threads, options,
            std::vector<std::string>{python, options.folder + "/peer.py", "--form", form,
                                     "--threads", std::to_string(threads)}));
    }
  }

  std::string version() {
    return "PyTorch " + peers_.front()->ask("version").at("version").get<std::string>();
  }

  /// `ours` makes our work for a team, `line` is what the peers are asked.
  PeerDuel duel(const std::string& line, int rounds, const std::function<OwnedWork(Team&)>& ours) {
    std::vector<OwnedWork> works;
    Duel duel{.name = {}, .unit = {}, .rounds = rounds, .ours = {}, .peers = {}};
    for (const auto& team : teams_) works.push_back(ours(*team));
    for (std::size_t i = 0; i < works.size(); ++i) {
      const Workload& work = works[i].work;
      work.call();  // warm
      duel.ours.push_back(
          {"Heddle", teams_[i]->size(), [&work, this] { return rate_of(work, options_.seconds); }});
    }
    duel.name = works.front().work.name;
    duel.unit = works.front().work.unit;
    duel.batch = works.front().work.batch;
    if (options_.told) options_.told(duel.name);
    for (const auto& peer : peers_)
      duel.peers.push_back({peer->name, peer->threads, [&peer, line] { return peer->rate(line); }});
    duel.between = [this] {
      if (options_.told) options_.told({});
    };
    return run_duel(duel);
  }

 private:
  const PeerOptions& options_;
  std::vector<std::unique_ptr<Team>> teams_;
  std::vector<std::unique_ptr<Peer>> peers_;
};

}  // namespace

std::string find_peers(const std::vector<std::string>& places) {
  namespace fs = std::filesystem;
  for (const std::string& place : places)
    for (fs::path at = fs::absolute(place);; at = at.parent_path()) {
      const fs::path folder = at / "bench" / "peers";
      if (file_exists(folder / "peer.py")) return folder.string();
      if (at == at.parent_path()) break;
    }
  throw FileError(
      "--peers: there is no bench/peers/peer.py above this folder or the program's own");
}

PeerReport run_peers(const PeerOptions& options) {
  constexpr int kRounds = 7, kFewRounds = 3;  // a PyTorch ablation takes half a minute
  struct Planned {
    std::string name, line;  ///< of our work, and what PyTorch is asked
    int rounds;
    std::function<OwnedWork(Team&)> ours;
  };
  const auto timed = [&](const std::string& line) {
    return fmt::format("{} {:.3f}", line, options.seconds);
  };
  const auto adds = [](std::int64_t batch) {
    return [batch](Team& team) { return train_addition(batch, team); };
  };
  std::vector<Planned> planned{{"train addition", timed("train addition 64"), kRounds, adds(64)},
                               {"train addition", timed("train addition 256"), kRounds, adds(256)},
                               {"train sortedness", timed("train sortedness 64"), kRounds,
                                [](Team& team) { return train_sortedness(64, team); }},
                               {"greedy addition", timed("greedy 500"), kRounds, greedy_addition},
                               {"24 zero ablations", "ablate 2000", kFewRounds, ablate_addition}};
  std::erase_if(planned, [&](const Planned& each) {
    return each.name.find(options.only) == std::string::npos;
  });
  PeerReport report;
  if (!planned.empty()) {
    Arena arena(options);
    report.versions.push_back(arena.version());
    for (const Planned& each : planned)
      report.duels.push_back(arena.duel(each.line, each.rounds, each.ours));
  }
  run_product_duels(options.only, options.told, report);
  return report;
}

}  // namespace heddle
