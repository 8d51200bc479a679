# Worlds of Teebox on plain workerd; README.md says how to run it.
# Paths that are embedded are relative to this file, and the folder of the data to where workerd is started.
using Workerd = import "/workerd/workerd.capnp";
using Files = import "../../dist/files.capnp";

const config :Workerd.Config = (
  services = [
    (name = "teebox", worker = .teebox),
    (name = "console", worker = .console),
    (name = "internet", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
    (name = "data", disk = (path = "teebox-data", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:4653", http = (), service = "teebox")],
);

const teebox :Workerd.Worker = (
  modules = Files.worker,
  compatibilityDate = "2026-06-01",
  compatibilityFlags = ["enable_request_signal", "request_signal_passthrough"],
  durableObjectNamespaces = [
    (className = "World", uniqueKey = "teebox-worlds", enableSql = true),
    (className = "Registry", uniqueKey = "teebox-registry", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "data"),
  bindings = [
    (name = "WORLDS", durableObjectNamespace = "World"),
    (name = "REGISTRY", durableObjectNamespace = "Registry"),
    (name = "CONSOLE", service = "console"),
    (name = "OPERATOR_TOKEN", fromEnvironment = "TEEBOX_OPERATOR_TOKEN"),
    (name = "PUBLIC_ORIGIN", fromEnvironment = "TEEBOX_PUBLIC_ORIGIN"),
    (name = "MAX_WORLDS", fromEnvironment = "TEEBOX_MAX_WORLDS"),
    (name = "IDLE_DAYS", fromEnvironment = "TEEBOX_IDLE_DAYS"),
    (name = "REQUESTS_PER_MINUTE", fromEnvironment = "TEEBOX_REQUESTS_PER_MINUTE"),
    (name = "MAX_BOOKINGS", fromEnvironment = "TEEBOX_MAX_BOOKINGS"),
    (name = "MAX_STORAGE_BYTES", fromEnvironment = "TEEBOX_MAX_STORAGE_BYTES"),
    (name = "CALLBACKS_PER_DAY", fromEnvironment = "TEEBOX_CALLBACKS_PER_DAY"),
    (name = "ALLOW_CALLBACK", fromEnvironment = "TEEBOX_ALLOW_CALLBACK"),
    (name = "RESOLVER", fromEnvironment = "TEEBOX_RESOLVER"),
    # workerd makes a file for every object that is asked: ask only those that exist.
    (name = "ASK_REGISTRY", text = "1"),
  ],
);

const console :Workerd.Worker = (
  modules = [(name = "console", esModule = embed "console.js")],
  compatibilityDate = "2026-06-01",
  bindings = Files.console,
);
