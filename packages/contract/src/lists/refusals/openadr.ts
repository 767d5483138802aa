// What is refused of VENs of OpenADR 2.0 and their certificates.

export const openadrRefusals = [
  "transport.push_url must be a complete address without white space that begins with https://",
  "transport.push_url must not contain a user or password; the VEN authenticates this service by its certificate",
  "transport.ca_certificate must be the certificate of an authority (CA:TRUE) in PEM",
  "ven_id {ven} belongs to another VEN; choose another id, or delete that VEN first",
  "csr must be one certificate request (PKCS#10) in PEM, as written by openssl req -new",
  "csr must contain an RSA key of {bits} bits or more, or an EC key on P-256, P-384 or P-521",
  "csr has {n} characters; the most allowed is {most}",
  "csr has an RSA key of {bits} bits; it must have from {least} to {most}. Create a new key.",
  "csr has an RSA key with a weak exponent; create a new key with exponent 65537",
  "csr is signed with {algorithm}; sign it with SHA-256, SHA-384 or SHA-512 (openssl req -sha256)",
  "csr is not signed by the key it contains; create the request again with the private key of the VEN",
  "No such VEN; check the id.",
  "No such certificate; check the id.",
] as const;
