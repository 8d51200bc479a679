// Serves the files of the console, which the configuration gives as bindings.
export default {
  fetch({ url }, files) {
    const name = new URL(url).pathname.slice(1);
    return Object.hasOwn(files, name) ? new Response(files[name]) : new Response(null, { status: 404 });
  },
};
