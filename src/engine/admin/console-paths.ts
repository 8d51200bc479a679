const consolePath = /^(\/w\/[^/?]+)?\/?(__admin\/?(console\/[^?]+)?)?(\?.*)?$/;

/** Whether a request may be one for the console by its path and method. */
export function mayShowConsole({ method }: Request, path: string): boolean {
  return consolePath.test(path) && /^(GET|HEAD)$/.test(method);
}
