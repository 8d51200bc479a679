import SwaggerUI, { type SwaggerParts, type SwaggerSystem } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import admin from '../../../contract/generated/built/admin-openapi.json' with { type: 'json' };
import api from '../../../contract/generated/built/openapi.json' with { type: 'json' };

/** What is filled in: the credentials of a channel, or the admin token if the server has one. */
export type ApiLogin =
  { readonly username: string; readonly password: string } | { readonly token: string | undefined };

const documents = { api, admin };

/** The operations alone: the console has a title, a server and a main landmark of its own. */
const layout = ({ React: { createElement } }: SwaggerSystem) => ({
  components: {
    ConsoleLayout: ({ getComponent }: SwaggerParts) => {
      const parts = ['AuthorizeBtnContainer', 'FilterContainer', 'operations', 'Models'];
      const children = parts.map((name) => createElement(getComponent(name, true), { key: name }));
      return createElement('div', { className: 'swagger-ui' }, createElement(getComponent('SvgAssets')), ...children);
    },
  },
});

/** Shows a document of OpenAPI in an element, with requests to this server. */
export function show(
  place: HTMLElement,
  {
    of,
    server,
    login,
    ready,
  }: {
    readonly of: keyof typeof documents;
    readonly server: string;
    readonly login: ApiLogin;
    readonly ready: () => void;
  },
): void {
  nameSelects(place);
  const viewer = SwaggerUI({
    domNode: place,
    spec: { ...documents[of], servers: [{ url: server }] },
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    filter: true,
    validatorUrl: null,
    syntaxHighlight: { theme: 'obsidian' },
    plugins: [layout],
    layout: 'ConsoleLayout',
    onComplete: () => {
      if ('username' in login) viewer.preauthorizeBasic('basic', login.username, login.password);
      else if (login.token !== undefined) viewer.preauthorizeApiKey('adminToken', login.token);
      ready();
    },
  });
}

/** Its choices of a value and of an example have no names that a screen reader could say. */
function nameSelects(place: HTMLElement): void {
  const name = (): void => {
    for (const select of place.querySelectorAll('select:not([aria-label])')) {
      const parameter = select.closest('tr')?.getAttribute('data-param-name');
      const isExample = select.className === 'examples-select-element';
      select.setAttribute('aria-label', isExample ? 'Example' : (parameter ?? 'Value'));
    }
  };
  new MutationObserver(name).observe(place, { childList: true, subtree: true });
}
