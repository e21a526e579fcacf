package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"
)

// container makes an image with nothing in it but the program, as podman and docker load it
// (OCI image layout 1.1): certificates and time zones are in the binary.
func container(r *release, p product) error {
	binary, err := r.binary(p.os, p.arch)
	if err != nil {
		return err
	}
	root := tree{"data/": {mode: 0o755, owner: 1000}}
	if err := root.put("fieldpost", binary, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		if err := root.put(name, name, 0o644); err != nil {
			return err
		}
	}
	if err := r.bill(root, "bill", binary); err != nil {
		return err
	}
	var plain, packed bytes.Buffer
	whole := root.withFolders()
	if err := whole.tar(&plain, "", r.moment); err != nil {
		return err
	}
	if err := whole.tarGz(&packed, "", r.moment); err != nil {
		return err
	}
	image := layout{}
	layer := image.blob("application/vnd.oci.image.layer.v1.tar+gzip", packed.Bytes())
	config, err := image.json("application/vnd.oci.image.config.v1+json", settings(r, p, digest(plain.Bytes())))
	if err != nil {
		return err
	}
	manifest, err := image.json(manifestType, map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []descriptor{layer}})
	if err != nil {
		return err
	}
	manifest.Platform = map[string]string{"os": p.os, "architecture": p.arch}
	manifest.Annotations = map[string]string{"org.opencontainers.image.ref.name": "fieldpost:" + r.version}
	if err := image.index(manifest); err != nil {
		return err
	}
	return r.write("fieldpost-"+r.version+"-"+p.name+".tar", func(w io.Writer) error { return image.tree().withFolders().tar(w, "", r.moment) })
}

// settings are how the program is run in the container.
func settings(r *release, p product, layer string) map[string]any {
	return map[string]any{
		"created": r.moment.Format(time.RFC3339), "os": p.os, "architecture": p.arch,
		"config": map[string]any{
			"User": "1000:1000", "WorkingDir": "/data", "Volumes": map[string]any{"/data": map[string]any{}},
			"Entrypoint": []string{"/fieldpost"}, "Cmd": []string{"serve", "--config", "/data/config.toml"},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{layer}},
	}
}

const manifestType = "application/vnd.oci.image.manifest.v1+json"

// descriptor names a blob of an image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// layout is an image as files.
type layout tree

func (l layout) tree() tree { return tree(l) }

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (l layout) blob(mediaType string, content []byte) descriptor {
	sum := digest(content)
	l["blobs/sha256/"+sum[len("sha256:"):]] = file{mode: 0o644, content: content}
	return descriptor{MediaType: mediaType, Digest: sum, Size: len(content)}
}

func (l layout) json(mediaType string, content any) (descriptor, error) {
	text, err := json.Marshal(content)
	return l.blob(mediaType, text), err
}

// index names the one manifest.
func (l layout) index(manifest descriptor) error {
	text, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []descriptor{manifest}})
	l["index.json"] = file{mode: 0o644, content: text}
	l["oci-layout"] = file{mode: 0o644, content: []byte(`{"imageLayoutVersion":"1.0.0"}`)}
	return err
}
