/**
 * A lost connection. The platform sends no reset and closes no connection by order, but it closes that of a response
 * whose body breaks, and has then sent nothing of it.
 */
export function lostConnection(): Response {
  return new Response(
    new ReadableStream({ start: (controller) => controller.error(new Error('A scenario cut the connection.')) }),
  );
}
