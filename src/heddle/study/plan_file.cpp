// See plan_file.hpp.
#include "heddle/study/plan_file.hpp"

#include "heddle/base/checked_json.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/study/folder_lock.hpp"

namespace heddle {
namespace {

constexpr const char* kIdentityFile = "/study.json";
constexpr const char* kPlanFile = "/plan.json";
constexpr std::int64_t kPlanSchema = 1;

Json identity_json(const StudyIdentity& identity) {
  Json json = Json::object();
  if (identity.kind != StudyKind::addition)  // the first study there was has no name in its file
    json["study"] = field_text(identity.kind);
  json["version"] = kVersion;
  json["isa"] = kernels::isa();
  json["preset"] = field_text(identity.preset);
  Json scale = Json::object();
  for (const ScaleNumber& number : identity.scale) scale[number.name] = number.value;
  json["scale"] = scale;
  json["config"] = Json::parse(config_json(identity.tuned));
  return json;
}

StudyIdentity identity_of(const Json& json) {
  StudyIdentity identity;
  identity.kind = parse_kind<StudyKind>("study", json.value("study", "addition"));
  identity.preset = parse_kind<StudyPreset>("preset", json.at("preset").get<std::string>());
  for (const auto& [name, value] : json.at("scale").items())
    identity.scale.push_back({name, value.get<std::int64_t>()});
  identity.tuned = parse_config(json.at("config").dump());
  return identity;
}

Json plan_json(const Study& study) {
  Json members = Json::array();
  for (const StudyMember& member : study.members)
    members.push_back({{"name", member.name},
                       {"folder", member.folder()},
                       {"config", Json::parse(config_json(member.config))}});
  return {{"schema", kPlanSchema},
          {"study", field_text(study.kind)},
          {"command", study.command},
          {"members", members}};
}

/// A plan of another version is not read, and not written over either.
void check_plan_schema(const std::string& path) {
  const Json json = read_checked_json(path);
  const Json schema = json.contains("schema") ? json["schema"] : Json();
  check<FileError>(schema == Json(kPlanSchema),
                   "{} is of another version (its schema is {}, accepted is {}); choose another "
                   "--out",
                   quote_path(path), schema.dump(), kPlanSchema);
}

/// What `read` makes of the file; FileError for whatever does not fit.
template <class Read>
auto read_whole(const std::string& path, const Read& read) {
  const Json json = read_checked_json(path);
  try {
    return read(json);
  } catch (const Json::exception& error) {
    throw FileError(fmt::format("{} is damaged ({})", quote_path(path), error.what()));
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is damaged ({})", quote_path(path), error.what()));
  }
}

void check_file_origin(const std::string& folder) {
  const Json json = read_checked_json(folder + kIdentityFile);
  if (json.contains("version") && json["version"].is_string() && json.contains("isa") &&
      json["isa"].is_string())
    check_origin(folder, json["version"], json["isa"]);
}

}  // namespace

void check_origin(const std::string& folder, const std::string& version, const std::string& isa) {
  const auto must = [&](const char* what, const std::string& there, std::string_view here) {
    check<UsageError>(there == here,
                      "{} was made with {} {}, accepted is {}, which is this program's; choose "
                      "another --out",
                      quote_path(folder), what, quote(there), here);
  };
  must("version", version, kVersion);
  must("isa", isa, kernels::isa());
}

void claim_study_folder(const std::string& folder, const StudyIdentity& identity) {
  const std::string path = folder + kIdentityFile;
  const Json wanted = identity_json(identity);
  if (!file_exists(path)) {
    write_checked_json(path, wanted);
    return;
  }
  if (read_checked_json(path) == wanted) return;
  check_file_origin(folder);
  throw UsageError(
      fmt::format("{} holds a study with other settings (its study.json says which); choose "
                  "another --out",
                  quote_path(folder)));
}

StudyIdentity read_identity(const std::string& folder) {
  check_file_origin(folder);
  return read_whole(folder + kIdentityFile, [](const Json& json) { return identity_of(json); });
}

void write_plan(const Study& study, const std::string& folder, const StudyObserver& observer) {
  make_folder(folder);
  const FolderLock lock = wait_for_folder(folder, observer);
  study.claim_folder(folder);
  const std::string path = folder + kPlanFile;
  const Json plan = plan_json(study);
  if (file_exists(path)) check_plan_schema(path);
  if (!file_exists(path) || !(read_checked_json(path) == plan)) write_checked_json(path, plan, 1);
}

PlanHead read_plan_head(const std::string& folder) {
  const std::string path = folder + kPlanFile;
  check<UsageError>(file_exists(path),
                    "{} is no study: it has no plan.json; accepted is a folder that heddle study "
                    "or a sweep wrote, with --plan or without",
                    quote_path(folder));
  check_plan_schema(path);
  return read_whole(path, [](const Json& json) {
    return PlanHead{.kind = parse_kind<StudyKind>("study", json.at("study").get<std::string>()),
                    .command = json.at("command").get<std::string>()};
  });
}

std::size_t find_member(const Study& study, const std::string& name) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < study.members.size(); ++i) {
    if (study.members[i].name == name) return i;
    names.push_back(study.members[i].name);
  }
  std::vector<std::string> shown = nearest(name, names, kShown);
  const bool near = !shown.empty();
  if (!near)
    shown.assign(names.begin(),
                 names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
  throw UsageError(fmt::format(
      "there is no member {} in the plan: {} {}{}", quote(name), near ? "near is" : "accepted is",
      join(shown, ", "),
      near || shown.size() == names.size() ? "" : fmt::format(" … ({} in all)", names.size())));
}

}  // namespace heddle
