import { InvalidArgumentError } from "commander";

/** Checks an address; returns it without a trailing slash. */
export const httpAddress = (text: string): string => {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: null };
  if (protocol !== "http:" && protocol !== "https:")
    throw new InvalidArgumentError("It must be an address beginning with http:// or https://.");
  return text.replace(/\/+$/, "");
};

/** Checks the address of a service; returns it without the version of the interface, which pages show with it. */
export const serviceAddress = (text: string): string => httpAddress(text).replace(/\/\d{4}-\d{2}-\d{2}$/, "");
