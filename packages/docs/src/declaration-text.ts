import { TypeScript as ts } from "typedoc";
import type { SdkExport } from "./sdk-model.js";

const printer = ts.createPrinter({ removeComments: true });
const commented = ts.createPrinter({});

const WIDTH = 90;

export const kindOf = (node: ts.Declaration): SdkExport["kind"] => {
  if (ts.isClassDeclaration(node)) return "class";
  if (ts.isInterfaceDeclaration(node)) return "interface";
  if (ts.isTypeAliasDeclaration(node)) return "type";
  return callableOf(node) === null ? "constant" : "function";
};

/**
 * A declaration of a `.d.ts` file as it is shown: without `export declare`, and long parameters on lines of their own. Of
 * classes and interfaces only the first line, since their members are described one by one.
 */
export const declarationText = (node: ts.Declaration): string => {
  const callable = callableOf(node);
  if (callable !== null) return callableText(nameOf(node), callable, printer);
  if (ts.isVariableDeclaration(node)) return `const ${printed(node, printer)}`;
  if (!ts.isTypeAliasDeclaration(node)) return withoutExport(printed(node, printer)).replace(/ \{[^]*$/, "");
  // The members of a union have only their comments.
  const { name, typeParameters, type } = node;
  return `type ${name.text}${genericsOf(typeParameters)} = ${printed(type, commented)};`;
};

const withoutExport = (text: string): string => text.replace(/^(?:export )?(?:declare )?/, "");

/** The type of a member, on one line. */
export const memberType = (node: ts.Declaration): string => {
  const callable = callableOf(node);
  if (callable !== null) return oneLine(callableText("", callable, printer));
  const { type, initializer } = node as ts.PropertyDeclaration;
  const shown = type ?? initializer;
  return shown === undefined ? "" : oneLine(printed(shown, printer));
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** A member that is a function; null for others. What it takes keeps its comments, as nothing else says what they say. */
export const memberSignature = (node: ts.Declaration): string | null => {
  const callable = callableOf(node);
  return callable === null ? null : callableText(nameOf(node), callable, commented);
};

/** Parameters of a function, or of what has the type of one. */
export const parametersOf = (node: ts.Declaration): readonly ts.ParameterDeclaration[] =>
  callableOf(node)?.parameters ?? [];

const callableOf = (node: ts.Declaration): ts.SignatureDeclaration | null => {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return node;
  const hasType = ts.isVariableDeclaration(node) || ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
  return hasType && node.type !== undefined && ts.isFunctionTypeNode(node.type) ? node.type : null;
};

const nameOf = (node: ts.Declaration): string => ts.getNameOfDeclaration(node)?.getText() ?? "";

const callableText = (
  name: string,
  { typeParameters, parameters, type }: ts.SignatureDeclaration,
  parameterPrinter: ts.Printer,
): string => {
  const head = name + genericsOf(typeParameters);
  const result = type === undefined ? "" : `${name === "" ? " =>" : ":"} ${printed(type, printer)}`;
  const inputs = parameters.map((each) => parameterText(each, parameterPrinter));
  const line = `${head}(${inputs.join(", ")})${result}`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${head}(\n${inputs.map((each) => `  ${each.replaceAll("\n", "\n  ")},\n`).join("")})${result}`;
};

const genericsOf = (parameters: readonly ts.TypeParameterDeclaration[] = []): string => {
  const list = parameters.map((each) => printed(each, printer)).join(", ");
  return list === "" ? "" : `<${list}>`;
};

const parameterText = (node: ts.ParameterDeclaration, using: ts.Printer): string => {
  const rest = node.dotDotDotToken === undefined ? "" : "...";
  const optional = node.questionToken === undefined ? "" : "?";
  const type = node.type === undefined ? "" : `: ${printed(node.type, using)}`;
  return rest + parameterName(node) + optional + type;
};

/** A parameter that the code takes apart is named by the last word of its type: `WatchOptions` is `options`. */
export const parameterName = ({ name, type }: ts.ParameterDeclaration): string => {
  if (ts.isIdentifier(name)) return name.text;
  const typeName = type !== undefined && ts.isTypeReferenceNode(type) ? type.typeName.getText() : "";
  return /[A-Z][a-z]+$/.exec(typeName)?.[0].toLowerCase() ?? "options";
};

/** With two spaces a level, as the documents have it; the compiler prints four. */
const printed = (node: ts.Node, using: ts.Printer): string =>
  using
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replaceAll(/^(?: {4})+/gm, (spaces) => " ".repeat(spaces.length / 2));
