import { Argument, type Command } from "commander";
import { usageFault } from "../admin-io.js";
import { onRun, plainCommand } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export const completionCommand = (io: ParticipantIo): Command => {
  const command = plainCommand(io, "completion", "Print what makes a shell complete the commands and options.")
    .addArgument(new Argument("<shell>", "Your shell.").choices(SHELLS))
    .addHelpText(
      "after",
      `
Examples:
  curtail completion bash > ~/.local/share/bash-completion/completions/curtail
  curtail completion zsh > "\${fpath[1]}/_curtail"
  curtail completion fish > ~/.config/fish/completions/curtail.fish`,
    );
  return onRun(io, command, async ({ args, print }) => {
    const { parent } = command;
    if (parent === null) throw usageFault("completion is a command of curtail");
    print.text(completionScript(args[0] as Shell, parent));
  });
};

/** What may follow the words of a command. */
interface Place {
  /** `` for the program itself, `telemetry get` for a command of a noun. */
  readonly path: string;
  readonly options: readonly string[];
  /** Commands and choices of arguments; `FILES` for an argument that is a file. */
  readonly words: readonly string[];
  /** What an option takes: its choices, `FILES`, or anything; by the option. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Stands for the names of files. */
const FILES = "@files";

/** Every command with what may follow it, the program itself first. */
const placesOf = (command: Command, path = ""): readonly Place[] => {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((each) => each.name() !== "help");
  const options = help.visibleOptions(command).filter(({ long }) => long !== undefined && long !== null);
  const words = [
    ...subcommands.map((each) => each.name()),
    ...command.registeredArguments.flatMap((each) => wordsFor(each.name(), each.argChoices)),
  ];
  const values = options.flatMap((each): Array<[string, readonly string[]]> => {
    if (!each.required && !each.optional) return [];
    return [[each.long ?? "", wordsFor(each.flags, each.argChoices)]];
  });
  const place = { path, options: options.map(({ long }) => long ?? ""), words, values: new Map(values) };
  return [place, ...subcommands.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()))];
};

const wordsFor = (name: string, choices: readonly string[] | undefined): readonly string[] =>
  choices ?? (/file|folder/.test(name) ? [FILES] : []);

export const completionScript = (shell: Shell, program: Command): string => {
  const places = placesOf(program);
  if (shell === "fish") return fish(places);
  return shell === "bash" ? bash(places) : zsh(places);
};

const keyOf = (path: string, option: string): string => `${path} ${option}`.trim();
const valuesOf = (places: readonly Place[]): ReadonlyArray<readonly [string, readonly string[]]> =>
  places.flatMap(({ path, values }) => [...values].map(([option, words]) => [keyOf(path, option), words] as const));

const cases = (of: ReadonlyArray<readonly [string, readonly string[]]>): string =>
  of.map(([key, words]) => `    "${key}") echo "${words.join(" ")}" ;;`).join("\n");

/**
 * What may come next, for bash and zsh. The place is the longest command that the words before the cursor name; options
 * and their values are passed over.
 */
const lookup = (places: readonly Place[]): string =>
  `_curtail_options() {
  case "$1" in
${cases(places.map(({ path, options }) => [path, options]))}
    *) return 1 ;;
  esac
}
_curtail_words() {
  case "$1" in
${cases(places.filter(({ words }) => words.length > 0).map(({ path, words }) => [path, words]))}
  esac
}
_curtail_values() {
  case "$1" in
${cases(valuesOf(places))}
    *) return 1 ;;
  esac
}
_curtail_place() {
  local place="" word
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    if _curtail_options "\${place:+$place }$word" > /dev/null; then place="\${place:+$place }$word"; fi
  done
  echo "$place"
}
_curtail_next() {
  local place="$1" previous="$2" current="$3" found
  if _curtail_values "\${place:+$place }$previous"; then return; fi
  case "$current" in
    -*) _curtail_options "$place" ;;
    *)
      found=$(_curtail_words "$place")
      if [ -n "$found" ]; then echo "$found"; else _curtail_options "$place"; fi
      ;;
  esac
}
`;

const bash = (places: readonly Place[]): string => `${lookup(places)}_curtail() {
  local place next current="\${COMP_WORDS[COMP_CWORD]}"
  place=$(_curtail_place "\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  next=$(_curtail_next "$place" "\${COMP_WORDS[COMP_CWORD-1]}" "$current")
  COMPREPLY=()
  if [ "$next" = "${FILES}" ]; then compopt -o default; else COMPREPLY=($(compgen -W "$next" -- "$current")); fi
}
complete -F _curtail curtail
`;

// The file is run as the function itself when Tab is pressed for the first time.
const zsh = (places: readonly Place[]): string => `#compdef curtail
${lookup(places)}_curtail() {
  local place next
  place=$(_curtail_place "\${(@)words[2,CURRENT-1]}")
  next=$(_curtail_next "$place" "\${words[CURRENT-1]}" "\${words[CURRENT]}")
  if [ "$next" = "${FILES}" ]; then _files; else compadd -- \${=next}; fi
}
if [ "\${funcstack[1]}" = "_curtail" ]; then _curtail "$@"; else compdef _curtail curtail; fi
`;

const fishCases = (of: ReadonlyArray<readonly [string, readonly string[]]>): string =>
  of.map(([key, words]) => `    case "${key}"\n      ${fishWords(words)}`).join("\n");
const fishWords = (words: readonly string[]): string =>
  words.length === 0 ? "return 0" : `printf '%s\\n' ${words.join(" ")}`;

const fish = (places: readonly Place[]): string => `function __curtail_options
  switch "$argv"
${fishCases(places.map(({ path, options }) => [path, options]))}
    case '*'
      return 1
  end
end
function __curtail_words
  switch "$argv"
${fishCases(places.filter(({ words }) => words.length > 0).map(({ path, words }) => [path, words]))}
  end
end
function __curtail_values
  switch "$argv"
${fishCases(valuesOf(places))}
    case '*'
      return 1
  end
end
function __curtail_next
  set -l place
  set -l words (commandline -opc)
  for word in $words[2..-1]
    if __curtail_options $place $word > /dev/null
      set -a place $word
    end
  end
  if __curtail_values $place $words[-1]
    return
  end
  set -l found (__curtail_words $place)
  if test (count $found) -eq 0; or string match -q -- '-*' (commandline -ct)
    __curtail_options $place
  else
    printf '%s\\n' $found
  end
end
function __curtail_complete
  __curtail_next | string match -v -- '${FILES}'
end
function __curtail_wants_files
  contains '${FILES}' (__curtail_next)
end
complete -c curtail -f
complete -c curtail -a '(__curtail_complete)'
complete -c curtail -n __curtail_wants_files -F
`;
