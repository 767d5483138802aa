import library from "@bacnet-js/client";

/** Node.js gives a CommonJS module as it is, loaders that transform it give its default. */
export const BacnetLibrary = "default" in library ? library.default : library;
