import { LANGUAGES, type Language, languages, say } from "@curtail/words/page";
import type { ComponentProps } from "react";
import { Select } from "./field.js";

interface Choosing extends Omit<ComponentProps<"select">, "value" | "onChange"> {
  readonly value: Language | null;
  /** What it is called if nothing is chosen; absent: something always is. */
  readonly none?: string;
  readonly hint?: string;
  readonly onChoose: (language: Language | null) => void;
}

/** Languages by their own names: everybody finds theirs on a page in another one. */
export const LanguageChoice = ({ value, none, onChoose, ...rest }: Choosing) => (
  <Select
    label={say("Language")}
    {...rest}
    value={value ?? ""}
    onChange={({ target }) => onChoose(LANGUAGES.find((each) => each === target.value) ?? null)}
    choices={[
      ...(none === undefined ? [] : [{ value: "", label: none }]),
      ...LANGUAGES.map((each) => ({ value: each, label: languages[each], lang: each })),
    ]}
  />
);

export const LanguageName = ({ of }: { readonly of: Language }) => <span lang={of}>{languages[of]}</span>;

const YEAR_SECONDS = 31_536_000;

/** Loads the page anew, in another language: that of a page stays while it is open. */
export const openIn = (language: Language): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the service answers with pages by it, and not all browsers have a cookie store
  document.cookie = `language=${language}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`;
  window.location.reload();
};
