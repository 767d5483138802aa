/** An instruction of a Containerfile, with its continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage, from its FROM on. */
export interface Stage {
  /** Number from 0, or the name after AS. */
  readonly name: string;
  /** With arguments of the file replaced by their defaults. */
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

export interface ParsedContainerfile {
  /** Defaults of ARG before the first stage. */
  readonly defaults: ReadonlyMap<string, string>;
  readonly stages: readonly Stage[];
}

const instructionsIn = (text: string): readonly Instruction[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .flatMap((line) => {
      const [, name, rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
      return name === undefined ? [] : [{ name, text: rest }];
    });

export const parseContainerfile = (text: string): ParsedContainerfile => {
  const defaults = new Map<string, string>();
  const stages: Array<{ name: string; image: string; instructions: Instruction[] }> = [];
  for (const each of instructionsIn(text)) {
    const stage = stages.at(-1);
    if (each.name === "FROM") {
      const [, image = "", name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(each.text) ?? [];
      const known = image.replaceAll(/\$\{(\w+)\}/g, (_, argument: string) => defaults.get(argument) ?? "");
      stages.push({ name: name ?? String(stages.length), image: known, instructions: [] });
    } else if (stage === undefined && each.name === "ARG") {
      const [name = "", value = ""] = each.text.split("=");
      defaults.set(name, value);
    } else stage?.instructions.push(each);
  }
  return { defaults, stages };
};

export interface Copied {
  /** Name of a stage; null: the context. */
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

export const copied = (text: string): Copied => {
  const from = /--from=(\S+)/.exec(text)?.[1] ?? null;
  const words = text.split(/\s+/).filter((word) => !word.startsWith("--"));
  return { from, sources: words.slice(0, -1), target: words.at(-1) ?? "" };
};

/** Instructions of a kind in a stage. */
export const textsOf = (stage: Stage | undefined, name: string): readonly string[] =>
  (stage?.instructions ?? []).filter((each) => each.name === name).map(({ text }) => text);

/** The program and its arguments of an instruction in the form of a list; null: it is a line for a shell. */
export const listIn = (text: string): readonly string[] | null => {
  const list = /(?:^|\s)(\[.*\])$/.exec(text)?.[1];
  return list === undefined ? null : (JSON.parse(list) as string[]);
};

/** Variables that a stage sets. */
export const environmentOf = (stage: Stage | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textsOf(stage, "ENV").flatMap((text) =>
      [...text.matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, name, value]) => [name, value]),
    ),
  );

const SECRET = /TOKEN|PASSWORD|SECRET|_KEY\b|DATABASE_URL|SMTP_URL/;

/** What a Containerfile must not do, or lacks. @param isThere whether the context has a path */
export const faultsOfContainerfile = (text: string, isThere: (path: string) => boolean): readonly string[] => {
  const { stages } = parseContainerfile(text);
  const last = stages.at(-1);
  const all = stages.flatMap(({ instructions }) => instructions);
  const user = textsOf(last, "USER").at(-1) ?? "root";
  const check = listIn(textsOf(last, "HEALTHCHECK").at(-1) ?? "");
  const copies = all.filter(({ name }) => name === "COPY").map((each) => copied(each.text));
  return [
    ...[...new Set(stages.map(({ image }) => image))]
      .filter((image) => !isPinned(image))
      .map((image) => `the image ${image} is not pinned`),
    ...all.filter(({ name }) => name === "ADD").map((each) => `ADD ${each.text}: use COPY`),
    ...(/^[1-9]\d*:[1-9]\d*$/.test(user) ? [] : [`it runs as ${user}: name a user by number`]),
    ...(check?.[0] === "node" && check.join(" ").includes("/healthz")
      ? []
      : ["HEALTHCHECK does not ask /healthz by node"]),
    ...copies.flatMap(({ from, sources }) => missingOf({ from, sources }, stages, isThere)),
    ...all
      .filter(({ name, text: words }) => /^(?:ENV|ARG|LABEL)$/.test(name) && SECRET.test(words))
      .map((each) => `${each.name} ${each.text}: no secrets`),
    ...(stages.length > 1 ? [] : ["there is one stage: what builds it would be in the image"]),
  ];
};

const isPinned = (image: string): boolean => /(?:@sha256:[0-9a-f]{64}|:\d+\.\d+\.\d+[\w.-]*)$/.test(image);

const missingOf = (
  { from, sources }: Pick<Copied, "from" | "sources">,
  stages: readonly Stage[],
  isThere: (path: string) => boolean,
): readonly string[] => {
  if (from !== null) return stages.some(({ name }) => name === from) ? [] : [`there is no stage ${from}`];
  return sources
    .filter((source) => /^https?:/.test(source) || !isThere(source))
    .map((source) => `there is no ${source} to copy`);
};
