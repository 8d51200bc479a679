/** Shows the countries with facilities, as the service behind the page's own origin lists them. */
export async function showCountries(): Promise<void> {
  const headers = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}` };
  const response = await fetch('/api/v3/countries', { headers });
  const { data } = (await response.json()) as { data: string[] };
  document
    .querySelector('#countries')!
    .append(...data.map((country) => Object.assign(document.createElement('li'), { textContent: country })));
}
