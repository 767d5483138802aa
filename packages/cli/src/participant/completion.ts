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
Put it where the shell finds it:
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
  readonly words: readonly string[];
}

/** Every command with what may follow it, the program itself first. */
const placesOf = (command: Command, path = ""): readonly Place[] => {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((each) => each.name() !== "help");
  const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [...subcommands.map((each) => each.name()), ...choices, ...options];
  return [{ path, words }, ...subcommands.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()))];
};

export const completionScript = (shell: Shell, program: Command): string => {
  const places = placesOf(program);
  if (shell === "fish") return fish(places);
  return shell === "bash" ? bash(places) : zsh(places);
};

/** The longest command that the words before the cursor name; options and their values are passed over. */
const lookup = (places: readonly Place[]): string =>
  `_curtail_words() {
  case "$1" in
${places.map(({ path, words }) => `    "${path}") echo "${words.join(" ")}" ;;`).join("\n")}
    *) return 1 ;;
  esac
}
_curtail_place() {
  local place="" word
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    if _curtail_words "\${place:+$place }$word" > /dev/null; then place="\${place:+$place }$word"; fi
  done
  echo "$place"
}
`;

const bash = (places: readonly Place[]): string => `${lookup(places)}_curtail() {
  local place
  place=$(_curtail_place "\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(_curtail_words "$place")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _curtail curtail
`;

const zsh = (places: readonly Place[]): string => `#compdef curtail
${lookup(places)}_curtail() {
  local place
  place=$(_curtail_place "\${(@)words[2,CURRENT-1]}")
  compadd -- \${=$(_curtail_words "$place")}
  _files
}
compdef _curtail curtail
`;

const fish = (places: readonly Place[]): string => `function __curtail_words
  switch "$argv"
${places.map(({ path, words }) => `    case "${path}"\n      printf '%s\\n' ${words.join(" ")}`).join("\n")}
    case '*'
      return 1
  end
end
function __curtail_complete
  set -l place
  set -l words (commandline -opc)
  for word in $words[2..-1]
    if __curtail_words $place $word > /dev/null
      set -a place $word
    end
  end
  __curtail_words $place
end
complete -c curtail -a '(__curtail_complete)'
`;
