import { fileURLToPath } from "node:url";
import { LANGUAGES, type Language, wordsIn } from "@curtail/words";
import { type Part, readCatalogue } from "@curtail/words/catalogues";
import { speak } from "@curtail/words/page";
import type { Plugin, Rolldown } from "vite";
import type { frames } from "./first-frame.js";

/** What the browser loads at once for the addresses of one HTML file, and would otherwise find out about step by step. */
interface FirstLoad {
  readonly frame: keyof typeof frames;
  /** Modules that the router imports when it opens the page. */
  readonly modules: readonly string[];
  /** Replies that the page asks for first. */
  readonly replies: readonly string[];
}

const SESSION = "/auth/session";
const operations: FirstLoad = {
  frame: "operators",
  modules: ["shell/operations-shell.tsx"],
  replies: [SESSION, "/operator/v1/alarms/groups", "/operator/v1/delivery-hold", "/operator/v1/demo"],
};
const dashboard: FirstLoad = {
  frame: "participants",
  modules: ["shell/dashboard-shell.tsx"],
  replies: [SESSION, "/console/v1/demo"],
};
/** Auditors are shown neither the first steps nor programs, of which they get a few more bytes. */
const boardReplies = ["/operator/v1/overview", "/operator/v1/onboarding/first-steps", "/operator/v1/programs?limit=12"];

const added = (side: FirstLoad, modules: readonly string[], replies: readonly string[]): FirstLoad => ({
  frame: side.frame,
  modules: [...side.modules, ...modules],
  replies: [...side.replies, ...replies],
});

/** By name of the HTML file; the service knows which address gets which. */
const firstLoads: Readonly<Record<string, FirstLoad>> = {
  "sign-in": { frame: "everybody", modules: ["pages/sign-in.tsx"], replies: [] },
  operations,
  board: added(operations, ["pages/operations/board.tsx"], boardReplies),
  dashboard,
  // Any other address: `/` leads to one of the sides.
  index: { frame: "everybody", modules: [], replies: [SESSION] },
  now: added(dashboard, ["pages/dashboard/now.tsx"], ["/console/v1/overview"]),
};

const modulesOf = (...names: readonly string[]): readonly string[] =>
  names
    .flatMap((name) => firstLoads[name]?.modules ?? [])
    .map((module) => fileURLToPath(new URL(`../src/${module}`, import.meta.url)));

/** What the start pages of each side begin with. */
export const startModules = {
  operators: modulesOf("board"),
  participants: modulesOf("now"),
  everybody: modulesOf("sign-in"),
} as const;

/** What is said on the pages of each side. */
const catalogueParts: Readonly<Record<FirstLoad["frame"], readonly Part[]>> = {
  operators: ["shared", "operators"],
  participants: ["shared", "participants"],
  everybody: ["shared", "operators", "participants"],
};

/** Writes an HTML file for each first load and language (`board.html`, `board.es.html`), with the frame of its pages and links to everything it needs. */
export const firstLoadFiles = (): Plugin => ({
  name: "first-load-files",
  apply: "build",
  enforce: "post",
  async generateBundle(_options, bundle) {
    const html = bundle["index.html"];
    // Benchmarks build pages of their own.
    if (html?.type !== "asset") return;
    // Loaded by builds alone: it is written in JSX.
    const { frames } = await import("./first-frame.js");
    const source = String(html.source);
    delete bundle["index.html"];
    const wordsFile = (language: Language, frame: FirstLoad["frame"]): string => {
      const texts = readCatalogue(language, catalogueParts[frame]);
      const script = `globalThis.curtailWords=${JSON.stringify({ language, texts })}`;
      return this.getFileName(this.emitFile({ type: "asset", name: `words-${language}.js`, source: script }));
    };
    for (const [name, load] of Object.entries(firstLoads))
      for (const language of LANGUAGES) {
        speak(wordsIn(language, language, readCatalogue(language, catalogueParts[load.frame])));
        this.emitFile({
          type: "asset",
          fileName: language === "en" ? `${name}.html` : `${name}.${language}.html`,
          source: inLanguage(
            firstHtml({ source, bundle, frame: frames[load.frame]() }, load),
            language,
            language === "en" ? null : wordsFile(language, load.frame),
          ),
        });
      }
  },
});

/** The words run before the application: scripts that are deferred keep their order. */
const inLanguage = (html: string, language: Language, wordsFile: string | null): string => {
  if (wordsFile === null) return html;
  const script = `<script defer src="/${wordsFile}"></script>\n    `;
  return html
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<script type="module"', (tag) => script + tag);
};

const firstHtml = (
  { source, bundle, frame }: { source: string; bundle: Rolldown.OutputBundle; frame: string },
  { modules, replies }: FirstLoad,
): string => {
  const files = filesOf(bundle, modules).filter((file) => !source.includes(file));
  const links = [
    ...files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...replies.map((reply) => `<link rel="preload" as="fetch" crossorigin href="${reply}">`),
  ];
  return source
    .replace("</head>", `  ${links.join("\n    ")}\n  </head>`)
    .replace('<div id="first-frame">', (div) => div + frame);
};

/** The files of modules, with everything that they import. */
const filesOf = (bundle: Rolldown.OutputBundle, modules: readonly string[]): readonly string[] => {
  const files = new Set<string>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || files.has(file)) return;
    files.add(file);
    for (const imported of chunk.imports) add(imported);
  };
  for (const module of modules) add(fileOf(bundle, module));
  return [...files];
};

const fileOf = (bundle: Rolldown.OutputBundle, module: string): string => {
  const found = Object.values(bundle).find(
    (each) => each.type === "chunk" && each.facadeModuleId?.endsWith(`/src/${module}`),
  );
  if (found === undefined) throw new Error(`no page of the build starts with ${module}`);
  return found.fileName;
};
