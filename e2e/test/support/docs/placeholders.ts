/** What stands in the pages for ids, keys and addresses, which differ in each installation. */
export interface Documented {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly operatorToken: string;
  readonly apiKey: string;
  /** Address of a participant's webhook. */
  readonly hookUrl: string;
  /** Address of the OpenADR 3 listener. */
  readonly openadr3Url: string;
  /** Secret of the OpenADR 3 client that the text names. */
  readonly clientSecret: string;
  /** A new one-time link that shows an API key. */
  readonly claimUrl: string;
  /** By prefix: `acc`, `site`, … */
  readonly ids: Readonly<Record<string, string>>;
}

/** Names in capitals, and the prefixes of the ids that they stand for. */
const CAPITALS: Readonly<Record<string, string>> = {
  ACCOUNT: "acc",
  ALARM: "alm",
  DELIVERY: "dlv",
  DISPATCH: "dis",
  PROGRAM: "prg",
  SITE: "site",
  WEBHOOK: "wh",
};

const ID = /\b([a-z]{2,4})_(?:…|[0-9a-hjkmnp-tv-z]{16}\b)/g;

/** The text with everything that stands for something replaced by what is there. */
export const filledIn = (text: string, documented: Documented): string =>
  text
    .replaceAll(/https?:\/\/[\w.:]+\/claim\/…/g, documented.claimUrl)
    .replaceAll("http://127.0.0.1:8080", documented.url)
    .replaceAll("https://curtail.example.com", documented.url)
    .replaceAll("http://127.0.0.1:8081", documented.sandboxUrl)
    .replaceAll("http://127.0.0.1:8090", documented.openadr3Url)
    .replaceAll("https://dr.example.com/hook", documented.hookUrl)
    .replaceAll("ctp_…", documented.apiKey)
    .replaceAll("cta_…", documented.clientSecret)
    .replaceAll("cto_…", documented.operatorToken)
    .replaceAll(/\b([A-Z]+)-ID\b/g, (whole, name: string) => documented.ids[CAPITALS[name] ?? ""] ?? whole)
    .replaceAll("FINGERPRINT", documented.ids["fingerprint"] ?? "FINGERPRINT")
    .replaceAll(ID, (whole, prefix: string) => documented.ids[prefix] ?? whole)
    // Last: it names another dispatch.
    .replaceAll("GROUP-ID", documented.ids["grp"] ?? "GROUP-ID");

/** Texts that differ in ids only become the same. */
export const withoutIds = (text: string): string => text.replaceAll(/\b([a-z]{2,4})_[0-9a-z]{16,}\b/g, "$1_…");
