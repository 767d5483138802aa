/** A name as people compare it (G70): composed, spaces of every kind as one, without case. */
export const foldedName = (name: string): string => name.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();

/** An identifier as people compare it: as a name, and without the leading zeros that spreadsheets drop. */
export const foldedIdentifier = (identifier: string): string =>
  foldedName(identifier).replace(/(?<!\p{N})0+(?=\p{N})/gu, "");
