import type { Comment, CommentDisplayPart } from "typedoc";
import type { SdkComment } from "./sdk-model.js";

const NO_COMMENT: SdkComment = { text: "", parameters: [], returns: "", throws: [], examples: [] };

/** A comment as Markdown. */
export const sdkComment = (
  comment: Comment | undefined,
  parameters: readonly { readonly name: string; readonly comment?: Comment | undefined }[] = [],
): SdkComment => {
  if (comment === undefined) return NO_COMMENT;
  const tagged = (tag: `@${string}`): readonly string[] =>
    comment.blockTags.filter((each) => each.tag === tag).map(({ content }) => markdownOf(content));
  return {
    text: markdownOf(comment.summary),
    parameters: parameters
      .map(({ name, comment: own }) => ({ name, text: markdownOf(own?.summary ?? []) }))
      .filter(({ text }) => text !== ""),
    returns: tagged("@returns").join("\n\n"),
    throws: tagged("@throws"),
    examples: tagged("@example"),
  };
};

const markdownOf = (parts: readonly CommentDisplayPart[]): string => parts.map(partOf).join("").trim();

const partOf = (part: CommentDisplayPart): string =>
  part.kind === "inline-tag" ? `[\`${part.text}\`](sdk:${part.text})` : part.text;
