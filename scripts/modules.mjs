// What each file of packages/server/src may import: the linter's rules are generated from these tables.
import { SHARED_FILES } from "./shared-files.mjs";

/** From the bottom up: a module imports the modules before it, and `app` joins them. */
export const ORDER = [
  "platform",
  "access",
  "portfolio",
  "dispatch",
  "telemetry",
  "performance",
  "settlement",
  "openadr",
  "openadr-3",
  "notification",
  "oversight",
  "sandbox",
  "demo",
  "backup",
  "app",
];

/**
 * The layers of a module. `own`: what a layer imports of its own module. `others`: what it imports of modules below,
 * whose only public layers are `domain` and `operations`, except for shared files of the same layer. `platform`: which folders of the
 * platform it imports besides its root. `packages`: what it may not import from outside the source, as regular
 * expressions.
 */
const LAYERS = {
  domain: { own: [], others: ["domain"], platform: [], packages: ["^[^.]"] },
  operations: {
    own: ["domain"],
    others: ["domain", "operations"],
    platform: [],
    packages: ["^[^.@]", "^@[^c]", "^@curtail/([^mos]|se|openadr$)"],
  },
  followers: {
    own: ["domain", "operations"],
    others: ["domain", "operations"],
    platform: [],
    packages: ["^[^.@]", "^@[^c]", "^@curtail/([^mos]|se|openadr$)"],
  },
  storage: {
    own: ["domain", "operations"],
    others: ["domain", "operations", "storage"],
    platform: ["database", "files"],
    packages: ["^@curtail/([^mo]|openadr$)", "^@?fastify"],
  },
  caller: {
    own: ["domain", "operations"],
    others: ["domain", "operations"],
    platform: ["http"],
    packages: ["^@curtail/", "^pg$"],
  },
  http: {
    own: ["domain", "operations", "caller"],
    others: ["domain", "operations", "caller", "http"],
    platform: ["files", "http"],
    packages: ["^@curtail/([^co]|c[^o]|openadr$)", "^pg$"],
  },
  worker: {
    own: ["domain", "operations"],
    others: ["domain", "operations"],
    platform: ["outbound", "worker"],
    packages: ["^@curtail/([^co]|c[^o]|openadr$)", "^pg$"],
  },
  vtn: {
    own: ["domain", "operations"],
    others: ["domain", "operations"],
    platform: [],
    packages: ["^@curtail/[^o]", "^pg$"],
  },
};

/** Folders of the platform, which do not import each other. */
const PLATFORM = {
  database: ["^@curtail/[^m]", "^@?fastify"],
  files: ["^@curtail/", "^pg$", "^@?fastify"],
  http: ["^@curtail/([^c]|c[^o])", "^pg$"],
  outbound: ["^@curtail/", "^pg$", "^@?fastify"],
  runtime: ["^@curtail/", "^pg$", "^@?fastify"],
  worker: ["^@curtail/", "^pg$", "^@?fastify"],
};

const SOURCE = "packages/server/src";
const anyOf = (names) => `(${names.join("|")})`;
const without = (names, allowed) => names.filter((name) => !allowed.includes(name));

const refusals = (message, regexes) =>
  regexes.map((regex) => ({ regex, message: `${message} (docs/architecture.md)` }));

/** Layers of which later modules import the files that are listed as shared, in the same layer. */
const SHARING = ["storage", "http"];

/** By a group of paths: expressions cannot exclude. */
const closedFiles = (layer, below) => {
  const shared = Object.keys(SHARED_FILES).map((file) => `!**/${file.replace(/\.ts$/, ".js")}`);
  return {
    group: [...below.map((module) => `**/${module}/${layer}/**`), ...shared],
    message: `of other modules, ${layer}/ may import only the files that scripts/shared-files.mjs lists`,
  };
};

const override = (files, patterns, paths = []) => ({
  files,
  rules: { "no-restricted-imports": ["error", { paths, patterns }] },
});

const noTimers = {
  name: "node:timers/promises",
  importNames: ["setTimeout", "setInterval", "scheduler"],
  message: "loops rest by the clock (Polling, or its sleep): tests move it",
};

const layerOf = (module, [layer, { own, others, platform, packages }]) => {
  const below = ORDER.slice(1, ORDER.indexOf(module));
  const above = ORDER.slice(ORDER.indexOf(module) + 1);
  const layers = Object.keys(LAYERS);
  const closed = without(layers, others);
  return override(
    [`${SOURCE}/${module}/${layer}/**`],
    [
      ...refusals(`${module} may not import the modules above it`, [`^(\\.\\./)+${anyOf(above)}/`]),
      ...refusals(`${layer}/ may import only ${own.join(", ") || "nothing else"} of its module`, [
        `^(\\.\\./)+${anyOf(without(layers, [layer, ...own]))}/`,
      ]),
      ...(below.length === 0
        ? []
        : refusals(`${layer}/ may import only ${others.join(", ")} of other modules`, [
            `^(\\.\\./)+${anyOf(below)}/${anyOf(closed)}/`,
          ])),
      ...(SHARING.includes(layer) ? [closedFiles(layer, below)] : []),
      ...refusals(`${layer}/ may import only ${["the root", ...platform].join(", ")} of the platform`, [
        `^(\\.\\./)+platform/${anyOf(without(Object.keys(PLATFORM), platform))}/`,
      ]),
      ...refusals(`${layer}/ may not import this package`, packages),
    ],
    ["operations", "followers", "worker"].includes(layer) ? [noTimers] : [],
  );
};

/** Rooms of a layer, and of `app`: each may import those before it. */
const ROOMS = { app: ["routes", "wire", "commands"], "performance/operations": ["live", "final", "report"] };

const roomsOf = ([folder, rooms]) => {
  const [module, layer] = folder.split("/");
  const ofLayer = () => layerOf(module, [layer, LAYERS[layer]]).rules["no-restricted-imports"][1];
  const { paths, patterns } = layer === undefined ? { paths: [], patterns: [] } : ofLayer();
  return rooms.slice(0, -1).map((room, index) => {
    const later = rooms.slice(index + 1);
    const own = refusals(`${folder}/${room}/ may not import ${later.join(" or ")}/`, [`^\\.\\./${anyOf(later)}[/.]`]);
    return override([`${SOURCE}/${folder}/${room}/**`], [...patterns, ...own], paths);
  });
};

/** Packages but `node:`, `@curtail/words` and `@curtail/contract/lists/`: the linter's expressions cannot look ahead. */
const NEITHER_NODE_NOR_LISTS = [
  "^[^.n@]",
  "^@(?:[^c]|c[^u])",
  "^@curtail/(?:[^cw]|w[^o]|c[^o]|contract$|contract/[^l])",
];

const platformRules = [
  override(
    [`${SOURCE}/platform/*.ts`],
    [
      ...refusals("the platform may not import the modules above it", [`^(\\.\\./)+${anyOf(ORDER.slice(1))}/`]),
      ...refusals("the root of the platform may import only lists of the contract, and words", [
        `^\\./${anyOf(Object.keys(PLATFORM))}/`,
        ...NEITHER_NODE_NOR_LISTS,
      ]),
    ],
    [noTimers],
  ),
  ...Object.entries(PLATFORM).map(([folder, packages]) =>
    override(
      [`${SOURCE}/platform/${folder}/**`],
      [
        ...refusals("the platform may not import the modules above it", [`^(\\.\\./)+${anyOf(ORDER.slice(1))}/`]),
        ...refusals("a folder of the platform may import only its root", [
          `^\\.\\./${anyOf(without(Object.keys(PLATFORM), [folder]))}/`,
        ]),
        ...refusals(`platform/${folder}/ may not import this package`, packages),
      ],
      folder === "outbound" ? [noTimers] : [],
    ),
  ),
];

/** The linter's overrides for the modules of the service. */
export const moduleRules = [
  ...platformRules,
  ...ORDER.slice(1, -1).flatMap((module) => Object.entries(LAYERS).map((layer) => layerOf(module, layer))),
  ...Object.entries(ROOMS).flatMap(roomsOf),
];
