/**
 * `node:http`. An `import` reads all that it exports, and since Node 22 one of these is `WebSocket`, which loads the
 * classes of the web: 14 MB, and a third of the time until a server is ready.
 */
export const http = process.getBuiltinModule('node:http');
