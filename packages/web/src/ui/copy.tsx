import { say } from "@curtail/words/page";
import { useState } from "react";
import { Button } from "./button.js";

/** A text such as an address or a secret, with a button that copies it. */
export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Over plain HTTP there is no clipboard; the text can be selected by hand.
    await navigator.clipboard?.writeText(text);
    setCopied(navigator.clipboard !== undefined);
  };
  return (
    <div className="flex min-w-0 items-start gap-2">
      <code className="min-w-0 flex-1 rounded bg-sunken px-2 py-1 text-sm break-all whitespace-pre-wrap select-all">
        {text}
      </code>
      <Button onClick={() => void copy()} aria-label={say("Copy {what}", { what: label })}>
        {copied ? say("Copied") : say("Copy")}
      </Button>
    </div>
  );
};
