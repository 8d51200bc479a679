// The module of the platform, where its own types are not installed.
declare module 'cloudflare:workers' {
  export const DurableObject: never;
}
