/** The namespaces of OpenADR 2.0a, by the prefix that this package writes. */
export const NAMESPACES = {
  oadr: "http://openadr.org/oadr-2.0a/2012/07",
  ei: "http://docs.oasis-open.org/ns/energyinterop/201110",
  pyld: "http://docs.oasis-open.org/ns/energyinterop/201110/payloads",
  emix: "http://docs.oasis-open.org/ns/emix/2011/06",
  xcal: "urn:ietf:params:xml:ns:icalendar-2.0",
  strm: "urn:ietf:params:xml:ns:icalendar-2.0:stream",
} as const;

export type Prefix = keyof typeof NAMESPACES;

/** The prefix of a namespace; null if it is not part of OpenADR 2.0a. */
export const prefixOf = (namespace: string): Prefix | null => prefixes.get(namespace) ?? null;

const prefixes = new Map(
  Object.entries(NAMESPACES).map(([prefix, namespace]): [string, Prefix] => [namespace, prefix as Prefix]),
);
