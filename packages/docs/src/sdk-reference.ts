import type { SdkExport, SdkModel } from "./sdk-model.js";
import { exportsOf, isRequests, linkedFrom, pageAddress, requestKey, type SdkPlaces, sdkPlaces } from "./sdk-places.js";
import { sectionOf } from "./sdk-sections.js";
import { type SdkLibrary, sdkLibraries } from "./sdk-topics.js";

export interface SdkPage {
  readonly address: string;
  readonly markdown: string;
}

export interface SdkGroup {
  readonly title: string;
  readonly pages: readonly SdkPage[];
}

/** The reference of each library: a page that lists its exports, and one for each topic. */
export const sdkReference = ({ exports }: SdkModel): readonly SdkGroup[] => {
  const places = sdkPlaces(exports);
  return sdkLibraries.map((library) => ({
    title: `Library ${library.name}`,
    pages: [indexPage(library, exports, places), ...topicPages(library, exports, places)],
  }));
};

const topicPages = (library: SdkLibrary, exports: readonly SdkExport[], places: SdkPlaces): readonly SdkPage[] => {
  const names = exports.map(({ name }) => name);
  return library.topics.map((topic) => {
    const address = pageAddress(library, topic);
    const links = { names, linked: linkedFrom(address, places) };
    const sections = exportsOf(library, topic, exports).map((each) => sectionOf(each, links));
    const head = `# ${topic.title}\n\nPart of [${library.name}](index.html).`;
    return { address, markdown: [head, ...sections].join("\n\n") };
  });
};

const indexPage = (library: SdkLibrary, exports: readonly SdkExport[], places: SdkPlaces): SdkPage => {
  const address = `${library.folder}/index.html`;
  const linked = linkedFrom(address, places);
  const lists = library.topics.map((topic) => {
    const lines = exportsOf(library, topic, exports).flatMap((each) =>
      isRequests(each)
        ? each.members.map(({ name, comment }) => lineOf(name, comment.text, requestKey(name)))
        : [lineOf(each.name, each.comment.text)],
    );
    return `### ${topic.title}\n\n${linked(lines.join("\n"))}`;
  });
  const head = `# ${library.name}

${library.about} [Libraries](../../sdk.html) says how to install and use it; this is what its source says of each export.

## Exports`;
  return { address, markdown: [head, ...lists].join("\n\n") };
};

const lineOf = (name: string, text: string, key = name): string =>
  `- [\`${name}\`](sdk:${key}): ${firstSentence(text)}`;

const firstSentence = (text: string): string => (/^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text).replaceAll("\n", " ");
