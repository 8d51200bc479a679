/** The pages that show reports, in a file of their own: it comes with the texts of all rules. */
export { default as CertificationPage } from './certify/certify.js';
export { default as ConformancePage } from './conformance/conformance.js';
