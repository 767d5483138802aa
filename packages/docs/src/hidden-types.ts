import { TypeScript as ts } from "typedoc";

/** Types of the library that a declaration names and that are not exported, so that no caller can name them. */
export const hiddenTypes = (declaration: ts.Declaration, exported: ReadonlySet<string>): readonly string[] => {
  const own = namesIn(declaration.getSourceFile());
  const owner = ts.getNameOfDeclaration(declaration)?.getText() ?? "";
  const hidden = namedTypes(declaration).filter((name) => own.has(name) && !exported.has(name));
  return [...new Set(hidden)].map((name) => `${owner} names ${name}, which is not exported`);
};

/** What a file declares, or imports from a file next to it. */
const namesIn = (file: ts.SourceFile): ReadonlySet<string> =>
  new Set(
    file.statements.flatMap((statement) => {
      if (ts.isImportDeclaration(statement)) return importedNames(statement);
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [statement.name.text];
      return ts.isClassDeclaration(statement) ? [statement.name?.text ?? ""] : [];
    }),
  );

const importedNames = ({ importClause, moduleSpecifier }: ts.ImportDeclaration): readonly string[] => {
  const bindings = importClause?.namedBindings;
  const isBeside = ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith(".");
  return isBeside && bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name }) => name.text)
    : [];
};

/** Names of types in a declaration, without what is private or internal. */
const namedTypes = (node: ts.Node): readonly string[] => {
  if (ts.isClassElement(node) && isHidden(node)) return [];
  const own = ts.isTypeReferenceNode(node) ? [node.typeName.getText()] : [];
  const parent = ts.isExpressionWithTypeArguments(node) ? [node.expression.getText()] : [];
  const below: string[] = [];
  ts.forEachChild(node, (child) => void below.push(...namedTypes(child)));
  return [...own, ...parent, ...below];
};

const isHidden = (node: ts.ClassElement): boolean =>
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0 ||
  ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
