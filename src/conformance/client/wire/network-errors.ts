/** Codes of certificates that nothing vouches for, by the names of Node. */
const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED)$/;
/** Codes of certificates that are wrong for the host or for today. */
const wrong = /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_(HAS_EXPIRED|NOT_YET_VALID|REVOKED|SIGNATURE_FAILURE))$/;

/** Why a request has no answer, and whether another attempt would end the same way. */
export function reasonOf(error: unknown): { readonly why: string; readonly isFinal: boolean } {
  const {
    cause,
    code: own,
    message,
    name,
  } = error as Error & {
    readonly code?: string;
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  const code = cause?.code ?? own;
  if (code !== undefined && untrusted.test(code)) {
    const way = 'pass the certificate of its authority with --ca FILE, or use --insecure';
    return { why: `no known authority has signed its certificate, ${code}: ${way}`, isFinal: true };
  }
  if (code !== undefined && wrong.test(code)) {
    return { why: `its certificate is not valid, ${code}; --insecure accepts it`, isFinal: true };
  }
  // A host tells by this name that a proxy lets nothing through.
  return { why: code ?? cause?.message ?? message, isFinal: name === 'ProxyError' };
}
