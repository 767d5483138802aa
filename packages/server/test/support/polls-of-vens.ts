const NAMESPACES =
  'xmlns:oadr="http://openadr.org/oadr-2.0a/2012/07" xmlns:ei="http://docs.oasis-open.org/ns/energyinterop/201110" ' +
  'xmlns:pyld="http://docs.oasis-open.org/ns/energyinterop/201110/payloads"';

/** A poll, as a VEN sends it. */
export const poll = (requestId: string, { venId = "ven-1", rest = "" } = {}): Buffer =>
  Buffer.from(
    `<oadr:oadrRequestEvent ${NAMESPACES}><pyld:eiRequestEvent><pyld:requestID>${requestId}</pyld:requestID>` +
      `<ei:venID>${venId}</ei:venID>${rest}</pyld:eiRequestEvent></oadr:oadrRequestEvent>`,
  );
