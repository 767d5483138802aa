import { posix } from "node:path";
import GithubSlugger from "github-slugger";
import type { SdkExport, SdkMember } from "./sdk-model.js";
import { type SdkLibrary, type SdkTopic, sdkLibraries } from "./sdk-topics.js";

/** Where each export is described, by its name: `sdk/client/dispatches.html#watchdispatches`. */
export type SdkPlaces = ReadonlyMap<string, string>;

export const pageAddress = ({ folder }: SdkLibrary, { page }: SdkTopic): string => `${folder}/${page}.html`;

/** Requests of the interface: each method has a section of its own. */
export const isRequests = ({ name }: SdkExport): boolean => name === "ParticipantOperations";

/** Methods that have sections below their class. */
export const methodsOf = ({ kind, members }: SdkExport): readonly SdkMember[] =>
  kind === "class" ? members.filter(({ signature }) => signature !== null) : [];

/** Types follow what takes and returns them. */
const isType = ({ kind }: SdkExport): boolean => kind === "interface" || kind === "type";

/** The exports of a page, in its order. */
export const exportsOf = (
  { name }: SdkLibrary,
  { files }: SdkTopic,
  exports: readonly SdkExport[],
): readonly SdkExport[] =>
  files
    .flatMap((file) =>
      exports.filter((each) => each.file === file && (each.module === name || each.module.startsWith(`${name}/`))),
    )
    .toSorted((a, b) => Number(isType(a)) - Number(isType(b)));

export const sdkPlaces = (exports: readonly SdkExport[]): SdkPlaces =>
  new Map(
    sdkLibraries.flatMap((library) =>
      library.topics.flatMap((topic) => placesOn(library, topic, exportsOf(library, topic, exports))),
    ),
  );

/** As the page counts its headings. */
const placesOn = (
  library: SdkLibrary,
  topic: SdkTopic,
  exports: readonly SdkExport[],
): ReadonlyArray<readonly [string, string]> => {
  const address = pageAddress(library, topic);
  const slugger = new GithubSlugger();
  slugger.slug(topic.title);
  return exports.flatMap((each) => {
    if (isRequests(each))
      return [
        [each.name, address] as const,
        ...each.members.map(({ name }) => [requestKey(name), `${address}#${slugger.slug(name)}`] as const),
      ];
    const place = [each.name, `${address}#${slugger.slug(each.name)}`] as const;
    for (const { name } of methodsOf(each)) slugger.slug(name);
    return [place];
  });
};

/** A request may be named as a function is. */
export const requestKey = (name: string): string => `participant.${name}`;

/** Rewrites what comments say of exports into links, for a page. */
export const linkedFrom = (address: string, places: SdkPlaces): ((markdown: string) => string) => {
  const placeOf = (name: string): string | undefined => places.get(name) ?? places.get(requestKey(name));
  const linkTo = (name: string): string => {
    const place = placeOf(name);
    if (place === undefined) throw new Error(`${address} refers to ${name}, which is no export`);
    const link = posix.relative(posix.dirname(address), place);
    return place.startsWith(`${address}#`) ? link.slice(link.indexOf("#")) : link;
  };
  return (markdown) =>
    markdown
      .replaceAll(/(?<![[`])`([A-Za-z]\w+)`(?!`)/g, (code, name: string) =>
        placeOf(name) === undefined ? code : `[${code}](${linkTo(name)})`,
      )
      .replaceAll(/\]\(sdk:([\w.]+)\)/g, (_, name: string) => `](${linkTo(name)})`);
};
