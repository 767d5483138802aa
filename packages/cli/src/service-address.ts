import { InvalidArgumentError } from "commander";

/** Checks the address of a service; returns it without a trailing slash. */
export const serviceAddress = (text: string): string => {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: null };
  if (protocol !== "http:" && protocol !== "https:")
    throw new InvalidArgumentError("It must be an address beginning with http:// or https://.");
  return text.replace(/\/+$/, "");
};
