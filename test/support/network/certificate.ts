/**
 * A certificate for `deployment.test` and 127.0.0.1 that no authority has signed, valid until 2120, and its key, which
 * protects nothing. Made with `openssl ca -selfsign`.
 */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtw7lOHHQmStavlEB
eUPAnuNEZ5lea1cUpGCgjUHq7YWhRANCAAT02kp/XU2vx04mxgtDMNW4ckpoFtY9
isUPUMxgwHuxgbZfxDrjeC/jkCz+ApxCNz/21eZvJjo1oGKFhluuKWFl
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9kZXBsb3lt
ZW50LnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBoxGDAW
BgNVBAMMD2RlcGxveW1lbnQudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BPTaSn9dTa/HTibGC0Mw1bhySmgW1j2KxQ9QzGDAe7GBtl/EOuN4L+OQLP4CnEI3
P/bV5m8mOjWgYoWGW64pYWWjVDBSMA8GA1UdEwEB/wQFMAMBAf8wIAYDVR0RBBkw
F4IPZGVwbG95bWVudC50ZXN0hwR/AAABMB0GA1UdDgQWBBRZQSwMC1b14W4C0Zau
97QUuY4mQjAKBggqhkjOPQQDAgNIADBFAiEA1xwLJdx7i7A3cpdUA2+6RUEPo0vJ
Rfrwgki9l4D0Sk4CIE32uPaE5CC+eQ2dcWJBd5FX7c3ool15BXk6zj1SWmgE
-----END CERTIFICATE-----
`,
} as const;
