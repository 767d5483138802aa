import { readFileSync } from "node:fs";
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from "libxml2-wasm";

const fixtures = process.env["TEST_FIXTURES"];
/** Folder of the schemas and field messages, which are not part of this repository; null if it is not set. */
export const openadrFixtures = fixtures === undefined ? null : `${fixtures}/openadr`;
/** Why a test that needs them was skipped. */
export const NO_FIXTURES = "TEST_FIXTURES names no folder with openadr/xsd and openadr/samples";

const FILES = ["oadr_20a", "oadr_ei_20a", "oadr_emix_20a", "oadr_pyld_20a", "oadr_strm_20a", "oadr_xcal_20a"].map(
  (name) => `${name}.xsd`,
);

let validator: XsdValidator | null = null;

const loadValidator = (folder: string): XsdValidator => {
  const files = Object.fromEntries(FILES.map((name) => [name, readFileSync(`${folder}/xsd/${name}`)]));
  xmlRegisterInputProvider(new XmlBufferInputProvider(files));
  const schema = XmlDocument.fromBuffer(readFileSync(`${folder}/xsd/oadr_20a.xsd`), { url: "oadr_20a.xsd" });
  try {
    return XsdValidator.fromDoc(schema);
  } finally {
    schema.dispose();
  }
};

/** Throws if the document does not match the schema of OpenADR 2.0a; does nothing without the schema. */
export const validate = (xml: string): void => {
  if (openadrFixtures === null) return;
  validator ??= loadValidator(openadrFixtures);
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
  } finally {
    document.dispose();
  }
};
